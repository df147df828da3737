/** Finds out how much history servers keep. */
import type { LiteHead } from "./accepted-heads.ts";
import { pause } from "./deadline.ts";
import type { OldestBlock, Server } from "./server.ts";

/** The result is as exact as this share of the history. */
const PRECISION = 1 / 64;

/**
 * Finds the oldest block that a server keeps, by binary search: a server keeps all blocks from one on. Asks for at most 28 blocks of a
 * chain with 100 million.
 *
 * @param newest - A block that the server has.
 * @param timeOf - The time of a block; undefined if the server does not keep it.
 */
export async function findOldest(
  newest: OldestBlock,
  timeOf: (seqno: number) => Promise<number | undefined>,
): Promise<OldestBlock> {
  if (newest.seqno <= 1) return newest;
  const first = await timeOf(1);
  if (first !== undefined) return { seqno: 1, time: first };
  let [missing, oldest] = [1, newest];
  while (oldest.seqno - missing > Math.max(1, (newest.seqno - oldest.seqno) * PRECISION)) {
    const seqno = Math.floor((missing + oldest.seqno) / 2);
    const time = await timeOf(seqno);
    if (time === undefined) missing = seqno;
    else oldest = { seqno, time };
  }
  return oldest;
}

/** @throws Error if the server has no block before the head: one that is not ready refuses all blocks. */
async function findHistory(
  { block, time }: LiteHead,
  timeOf: (seqno: number) => Promise<number | undefined>,
): Promise<OldestBlock> {
  const found = await findOldest({ seqno: block.seqno, time }, timeOf);
  if (found.seqno === block.seqno && block.seqno > 1) throw new Error(`no block before ${block.seqno}`);
  return found;
}

/** The oldest block that all servers but one keep: what one does not have, another one does. Undefined without a result. */
export function commonOldest(servers: readonly Pick<Server, "state" | "oldest">[]): OldestBlock | undefined {
  const known = servers.flatMap(({ state, oldest }) => (state === "ready" && oldest ? [oldest] : []));
  return known.toSorted((a, b) => b.seqno - a.seqno)[Math.min(1, known.length - 1)];
}

const CHECK_INTERVAL = 500;
const HOUR = 3_600_000;
/** Milliseconds until the next attempt after one that failed. */
const RETRY = 60_000;
/** Milliseconds until a missing block is a reason for the next probe: of one query if nothing has changed, otherwise of a whole search. */
const [CHECK_PAUSE, SEARCH_PAUSE] = [5_000, 60_000];

/** When a server is probed, of `performance.now()`. */
interface Schedule {
  hourlyAt: number;
  /** From then on, a missing block is a reason to probe. */
  earlyAt: number;
  hasMissed: boolean;
}

/** The time of a masterchain block in the history of a head, if the server keeps it; otherwise undefined. */
type ReadTime = (server: Server, head: LiteHead, seqno: number) => Promise<number | undefined>;

/**
 * Probes servers one after the other: each at the start, about once an hour, and soon after it did not have a block. A history becomes
 * shorter while a server deletes blocks.
 */
export class HistoryProbe {
  readonly #servers: readonly Server[];
  readonly #head: () => LiteHead | undefined;
  readonly #read: ReadTime;
  readonly #schedules = new Map<Server, Schedule>();
  readonly #end = new AbortController();
  #probed: Server | undefined;

  constructor(servers: readonly Server[], head: () => LiteHead | undefined, read: ReadTime) {
    this.#servers = servers;
    this.#head = head;
    this.#read = read;
    for (const server of servers) {
      this.#schedules.set(server, { hourlyAt: 0, earlyAt: 0, hasMissed: false });
    }
    void this.#run(this.#end.signal);
  }

  /** A server did not have what a read asked for. */
  missed(name: string): void {
    const server = this.#servers.find((each) => each.name === name);
    const schedule = server && server !== this.#probed ? this.#schedules.get(server) : undefined;
    if (schedule) schedule.hasMissed = true;
  }

  close(): void {
    this.#end.abort();
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const head = this.#head();
      const server = head && this.#servers.find((each) => each.state === "ready" && this.#isDue(each));
      if (head && server) await this.#probe(server, head);
      else await pause(CHECK_INTERVAL, signal);
    }
  }

  #isDue(server: Server): boolean {
    const schedule = this.#schedules.get(server);
    const now = performance.now();
    return schedule !== undefined && (schedule.hourlyAt <= now || (schedule.hasMissed && schedule.earlyAt <= now));
  }

  async #probe(server: Server, head: LiteHead): Promise<void> {
    const schedule = this.#schedules.get(server);
    if (!schedule) return;
    const startedAt = performance.now();
    const isHourly = schedule.hourlyAt <= startedAt;
    const timeOf = (seqno: number) => this.#read(server, head, seqno);
    const { oldest } = server;
    this.#probed = server;
    try {
      const isUnchanged = !isHourly && oldest !== undefined && (await timeOf(oldest.seqno)) !== undefined;
      if (!isUnchanged) server.oldest = await findHistory(head, timeOf);
      schedule.earlyAt = performance.now() + (isUnchanged || isHourly ? CHECK_PAUSE : SEARCH_PAUSE);
      // Jitter, so that the servers of a process, and several processes, do not probe at the same time.
      if (isHourly) schedule.hourlyAt = startedAt + HOUR * (0.75 + Math.random() / 2);
    } catch {
      // It is busy, not ready, or it has ended: its faults are in the pool's events.
      schedule.hourlyAt = startedAt + RETRY;
    }
    schedule.hasMissed = false;
    this.#probed = undefined;
  }
}
