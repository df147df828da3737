/** The transactions that sent and consumed a message, as JSON. A transaction that was found never changes, so it is cached. */
import { type Awaitable, andThen } from "@chain-query/format/async";
import type { ChainReader, Head, MessageKey, ReadTransaction } from "@chain-query/format/store";
import type { Schemas } from "@chain-query/types";
import { LRUCache } from "lru-cache";
import { extTransaction } from "../convert/account.ts";
import { bytesOf } from "../convert/bytes.ts";
import { HttpError } from "../failure.ts";
import { Encoded, encode, unpooledBytes } from "./encoded.ts";

/** The transaction that sent a message, or the one that received it. */
type MessageEnd = "sender" | "receiver";

/** A located transaction. */
type Located = Encoded<Schemas["ext.transaction"]>;

/** Estimated bytes of a cache entry besides its JSON. */
const entryOverhead = 700;

/** Locates transactions by message. */
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
  find(message: MessageKey, end: MessageEnd, signal: AbortSignal): Awaitable<Located> {
    const key = cacheKey(message, end);
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const source = this.#source;
    // A head that is read after the search may have what was not found.
    const before = source.known();
    const found = end === "sender" ? source.findSender(message, signal) : source.findReceiver(message, signal);
    return andThen<ReadTransaction | undefined, Located>(found, (transaction) => {
      if (transaction === undefined) return this.#missing(message, end, before, signal);
      // Both operations answer with the same schema.
      const located: Located = new Encoded(unpooledBytes(encode("tryLocateSourceTx", extTransaction(transaction))), true);
      this.#cache.set(key, located);
      return located;
    });
  }

  /** @throws HttpError with the reason. */
  async #missing(message: MessageKey, end: MessageEnd, before: Head | undefined, signal: AbortSignal): Promise<never> {
    const isSent = end === "receiver" && (await this.#source.findSender(message, signal)) !== undefined;
    const { block } = before ?? (await this.#source.head(signal));
    const [reason, text] = isSent
      ? (["message_pending", "the message is known and still waits in a queue, try again later"] as const)
      : message.createdLt < block.endLt
        ? (["message_unknown", "the source account sent no such message"] as const)
        : (["message_pending", "created_lt is past the head, so that such a message may still be sent"] as const);
    throw new HttpError(404, `transaction was not found: ${text}`, { reason });
  }
}

function cacheKey({ source, destination, createdLt }: MessageKey, end: MessageEnd): string {
  const ends = [source, destination].map(({ workchain, hash }) => `${workchain} ${bytesOf(hash).toString("latin1")}`);
  return `${end} ${ends.join(" ")} ${createdLt}`;
}
