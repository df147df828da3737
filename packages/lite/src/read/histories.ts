/** Finds out how much history servers keep. */
import { pause } from "@chain-query/format/async";
import type { LiteServerStatus, Server } from "../servers/server.ts";

/** The oldest masterchain block of which a server keeps the states too, or a block at most 2 % of the history newer. */
export interface OldestBlock {
  readonly seqno: number;
  /** Unix seconds. */
  readonly time: number;
}

/** A server and its history. */
export interface LiteHistory extends Pick<LiteServerStatus, "name" | "state"> {
  /** Undefined if the server did not answer in time. */
  readonly oldest: OldestBlock | undefined;
}

/** The result is as exact as this share of the history. */
const PRECISION = 1 / 64;
const CONNECTION_INTERVAL = 20;

/** The time of a masterchain block; undefined if the server does not keep it. */
type ReadTime = (seqno: number) => Promise<number | undefined>;

/**
 * Finds the oldest block that a server keeps, by binary search: a server keeps all blocks from one on. Asks for at most 29 blocks of a
 * chain with 100 million.
 *
 * @param newest - A block that the server has.
 * @returns Undefined if the server has no older block: one that is not ready refuses all.
 */
export async function findOldest(newest: number, timeOf: ReadTime): Promise<OldestBlock | undefined> {
  const first = await timeOf(1);
  if (first !== undefined) return { seqno: 1, time: first };
  let [missing, oldest]: [number, OldestBlock | undefined] = [1, undefined];
  for (let known = newest; known - missing > Math.max(1, (newest - known) * PRECISION); known = oldest?.seqno ?? newest) {
    const seqno = Math.floor((missing + known) / 2);
    const time = await timeOf(seqno);
    if (time === undefined) missing = seqno;
    else oldest = { seqno, time };
  }
  return oldest;
}

/** The oldest block that a server keeps, as soon as it is connected; undefined if it cannot be reached, or has no older block. */
export async function findHistory(
  server: Server,
  signal: AbortSignal,
  readTime: (newest: NonNullable<Server["block"]>, seqno: number) => Promise<number | undefined>,
): Promise<OldestBlock | undefined> {
  while (server.isPending && !signal.aborted) await pause(CONNECTION_INTERVAL, signal);
  signal.throwIfAborted();
  const { block } = server;
  return block && findOldest(block.seqno, (seqno) => readTime(block, seqno));
}

/** The oldest block that all servers but one keep: what one does not have, another one does. Undefined without a result. */
export function commonOldest(histories: readonly LiteHistory[]): OldestBlock | undefined {
  const known = histories.flatMap(({ oldest }) => oldest ?? []);
  return known.toSorted((a, b) => b.seqno - a.seqno)[Math.min(1, known.length - 1)];
}
