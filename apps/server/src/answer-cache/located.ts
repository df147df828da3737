/** The transactions that sent and consumed a message, as JSON. A transaction that was found never changes, so it is cached. */
import { type Awaitable, andThen } from "@chain-query/format/async";
import { toBinaryString } from "@chain-query/format/cells";
import type { ChainReader, MessageKey, ReadTransaction } from "@chain-query/format/store";
import { extTransaction } from "@chain-query/proof/values";
import type { Schemas } from "@chain-query/types";
import { LRUCache } from "lru-cache";
import { HttpError } from "../failure.ts";
import type { RequestHead } from "../request-head.ts";
import { Encoded, encode, flatText } from "./encoded.ts";

/** The transaction that sent a message, or the one that received it. */
type MessageEnd = "sender" | "receiver";

type Located = Encoded<Schemas["ext.transaction"]>;

/** Estimated bytes of a cache entry besides its JSON. */
const entryOverhead = 700;

export class LocatedTransactions {
  readonly #source: ChainReader;
  readonly #cache: LRUCache<string, Located>;

  /** @param cacheBytes - Memory for the cache, approximately. */
  constructor(source: ChainReader, cacheBytes: number) {
    this.#source = source;
    this.#cache = new LRUCache({
      maxSize: cacheBytes,
      sizeCalculation: ({ json }) => json.length + entryOverhead,
    });
  }

  /** Finds the transaction at one end of a message (D-19). @throws HttpError if there is no such transaction, with the reason. */
  find(message: MessageKey, end: MessageEnd, head: RequestHead): Awaitable<Located> {
    const key = cacheKey(message, end);
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const source = this.#source;
    const found = head.find((at) =>
      end === "sender" ? source.findSender(message, at, head.signal) : source.findReceiver(message, at, head.signal),
    );
    return andThen<ReadTransaction | undefined, Located>(found, (transaction) => {
      if (transaction === undefined) return this.#missing(message, end, head);
      // Both operations answer with the same schema.
      const located: Located = new Encoded(flatText(encode("tryLocateSourceTx", extTransaction(transaction))), true);
      this.#cache.set(key, located);
      return located;
    });
  }

  /** @throws HttpError with the reason. */
  async #missing(message: MessageKey, end: MessageEnd, head: RequestHead): Promise<never> {
    const at = await head.newest();
    const isSent = end === "receiver" && (await this.#source.findSender(message, at, head.signal)) !== undefined;
    const [reason, text] = isSent
      ? (["message_pending", "the message is known and still waits in a queue, try again later"] as const)
      : message.createdLt < at.block.endLt
        ? (["message_unknown", "the source account sent no such message"] as const)
        : (["message_pending", "created_lt is past the head, so that such a message may still be sent"] as const);
    throw new HttpError(404, `transaction was not found: ${text}`, { reason });
  }
}

function cacheKey({ source, destination, createdLt }: MessageKey, end: MessageEnd): string {
  const ends = [source, destination].map(({ workchain, hash }) => `${workchain} ${toBinaryString(hash)}`);
  return `${end} ${ends.join(" ")} ${createdLt}`;
}
