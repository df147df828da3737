/** The transactions at the ends of a message. One that was found never changes, so that it is kept as JSON. */
import type { MessageKey, MessageTrace } from "@chain-query/local-chain";
import type { Schemas } from "@chain-query/types";
import { LRUCache } from "lru-cache";
import type { ChainSource } from "./chain-source.ts";
import { locatedBytes } from "./contract/success.ts";
import { bytesOf } from "./convert/bytes.ts";
import { extTransaction } from "./convert/transaction.ts";
import { heldAsJson } from "./lasting.ts";

/** What was found of a message. */
export interface Located {
  readonly transaction: Schemas["ext.transaction"] | undefined;
  /** Whether there is such a message at all. */
  readonly isSent: boolean;
}

/** Locates transactions by a message. */
export interface Messages {
  /** The transaction that sent it. */
  producer(message: MessageKey): Promise<Located>;
  /** The transaction that consumed it. */
  consumer(message: MessageKey): Promise<Located>;
}

interface Kept extends Located {
  readonly size: number;
}

/** Bytes that keeping something takes beside its JSON, about. */
const overhead = 700;

/**
 * Locates by a source.
 *
 * @param cacheBytes - About how much memory may be taken by what is kept.
 */
export function messagesOf(source: ChainSource, cacheBytes: number): Messages {
  const kept = new LRUCache<string, Kept>({ maxSize: cacheBytes, sizeCalculation: ({ size }) => size + overhead });

  const locate = async (message: MessageKey, end: keyof MessageTrace): Promise<Located> => {
    const name = nameOf(message, end);
    const known = kept.get(name);
    if (known !== undefined) return known;
    const trace = await source.locate(message);
    const found = trace[end];
    if (found === undefined) return { transaction: undefined, isSent: trace.producer !== undefined };
    const bytes = locatedBytes(extTransaction(found));
    const located = { transaction: heldAsJson<Schemas["ext.transaction"]>(bytes), isSent: true, size: bytes.length };
    kept.set(name, located);
    return located;
  };

  return { producer: (message) => locate(message, "producer"), consumer: (message) => locate(message, "consumer") };
}

function nameOf({ source, destination, createdLt }: MessageKey, end: keyof MessageTrace): string {
  const ends = [source, destination].map(({ workchain, hash }) => `${workchain} ${bytesOf(hash).toString("latin1")}`);
  return `${end} ${ends.join(" ")} ${createdLt}`;
}
