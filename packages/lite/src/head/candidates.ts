/**
 * Which server's block is verified next, and when that of a server is tried again.
 *
 * One that gives no proof is asked again after a pause, and behind the others. So is one that takes longer than a few seconds while another
 * server reports a block: then a newer block comes next, before one that contradicts a head. On the way to the first head, no server is given
 * up for a slower one, and several are asked at the same time until one of them gives an answer.
 */
import { type BlockId, isSameBlock, isSameShard, MASTERCHAIN } from "@chain-query/format/identifiers";
import type { Server } from "../servers/server.ts";
import type { AcceptedHeads, Verification } from "./heads.ts";

/** Milliseconds after which a block below the head, which a server still reports, is compared with the history of the head. */
const BEHIND = 10_000;
/**
 * Milliseconds after which a verification is given up for another server, or the pause of that one if it is longer: so servers without
 * proofs do not end each verification. A few seconds are enough for all links from a key block to the head; on the way to the first head,
 * nothing that is verified is lost.
 */
export const SLOW_AFTER = 5_000;
/** Milliseconds after its pause in which a server comes behind those whose last proof was complete. */
const BACKWARD = 10_000;
/**
 * Milliseconds until a block of a server that gave no proof is tried again. Each pause is twice the previous one, up to the longest one, or
 * that of a server beside which no other one decides.
 */
const [FIRST_PAUSE, LONGEST_PAUSE, LONGEST_PAUSE_ALONE] = [1_000, 600_000, 4_000];
/** Reports of a server that are kept, and seqnos whose first report is. */
const [REPORTS, SEQNOS] = [64, 512];

/** The reports of one server, and the outcome of its last proof. */
export interface Reports {
  /** The newest one last. */
  readonly blocks: BlockId[];
  /** Times of `performance.now()`. */
  changedAt: number;
  retryAt: number;
  /** Milliseconds until the next retry. */
  pause: number;
  /** When its last proof failed or was given up; 0 if that was complete, or before the first. */
  failedAt: number;
  /** On the way to the first head: the pace of its last proof if that was given up, and led somewhere. */
  pace: number | undefined;
  /** When its last proof was complete; 0 before the first. */
  provedAt: number;
  /** The block below the head that was found in its history. */
  compared: BlockId | undefined;
}

export interface Candidate {
  readonly server: Server;
  readonly block: BlockId;
  readonly reports: Reports;
  readonly rank: number;
  /** 0 if its last failure does not count. */
  readonly failedAt: number;
}

export interface CandidatesContext {
  readonly servers: readonly Server[];
  /** The names of servers that come first before the first head, the best first. */
  readonly preferred?: readonly string[] | undefined;
  /** The only server whose blocks become the head, without signatures. */
  readonly headFrom?: Server | undefined;
}

export class Candidates {
  readonly #context: CandidatesContext;
  readonly #accepted: AcceptedHeads;
  readonly reports: Map<Server, Reports> = new Map();
  /** When any server reported a seqno for the first time. */
  readonly #reportedAt = new Map<number, number>();

  constructor(context: CandidatesContext, accepted: AcceptedHeads) {
    this.#context = context;
    this.#accepted = accepted;
  }

  get provers(): readonly string[] {
    return [...this.reports]
      .filter(([, { provedAt, failedAt }]) => provedAt > failedAt)
      .toSorted(([, one], [, other]) => other.provedAt - one.provedAt)
      .map(([{ name }]) => name);
  }

  isReportedBy(server: Server, block: BlockId): boolean {
    return (this.reports.get(server)?.blocks ?? []).some((one) => isSameBlock(one, block));
  }

  /** Records the newest block of a server. Returns whether it is one of the masterchain. */
  note(server: Server, block: BlockId): boolean {
    if (!isOfMasterchain(server, block)) return false;
    this.#noteLag(server, block.seqno);
    const reports = this.reportsOf(server);
    const newest = reports.blocks.at(-1);
    if (!newest || !isSameBlock(newest, block)) {
      reports.blocks.push(block);
      reports.changedAt = performance.now();
      if (reports.blocks.length > REPORTS) reports.blocks.shift();
    }
    this.markUnverified();
    return true;
  }

  #noteLag(server: Server, seqno: number): void {
    const now = performance.now();
    const since = this.#reportedAt.get(seqno) ?? now;
    server.lag = (now - since) / 1000;
    this.#reportedAt.set(seqno, since);
    for (const oldest of this.#reportedAt.keys()) if (this.#reportedAt.size > SEQNOS) this.#reportedAt.delete(oldest);
  }

  /** Servers without a verified block are asked as the last ones: those of another chain would refuse reads. */
  markUnverified(): void {
    const isVerified = (block: BlockId): boolean => {
      const known = this.#accepted.get(block.seqno)?.block;
      return known !== undefined && isSameBlock(known, block);
    };
    for (const server of this.#context.servers) {
      server.isDisputed = this.#accepted.last !== undefined && !(this.reports.get(server)?.blocks ?? []).some(isVerified);
    }
  }

  reportsOf(server: Server): Reports {
    const never = { changedAt: performance.now(), retryAt: Number.NEGATIVE_INFINITY };
    const unknown = { failedAt: 0, provedAt: 0, pace: undefined, compared: undefined };
    const reports = this.reports.get(server) ?? { blocks: [], ...never, pause: FIRST_PAUSE, ...unknown };
    this.reports.set(server, reports);
    return reports;
  }

  /** After a complete proof. */
  succeed(server: Server): void {
    Object.assign(this.reportsOf(server), { pause: FIRST_PAUSE, failedAt: 0, provedAt: performance.now() });
  }

  /** After a proof that failed or was given up. Returns whether it was not the first one in a row. */
  fail(verification: Verification): boolean {
    const reports = this.reportsOf(verification.server);
    reports.failedAt = performance.now();
    reports.pace = (verification.end.signal.aborted && paceOf(verification)) || undefined;
    reports.retryAt = reports.failedAt + reports.pause;
    reports.pause = Math.min(this.#context.headFrom ? LONGEST_PAUSE_ALONE : LONGEST_PAUSE, 2 * reports.pause);
    return reports.pause > 2 * FIRST_PAUSE;
  }

  /**
   * The next block to verify: that of a server without a failure, or with the oldest one, then one that contradicts a head, then the newest
   * one.
   *
   * @param slow - Only a block for which this verification is given up: a newer one first.
   */
  next(running: ReadonlySet<Verification>, trusted: BlockId, slow?: Verification): Candidate | undefined {
    const now = performance.now();
    const { servers, headFrom, preferred = [] } = this.#context;
    const candidates = (headFrom ? [headFrom] : servers).flatMap((server) => {
      const reports = this.reports.get(server);
      const block = reports?.blocks.at(-1);
      if (server.state !== "ready" || !block || !reports || reports.retryAt > now) return [];
      if ([...running].some((verification) => verification.server === server)) return [];
      const rank = this.#rank(block, reports, trusted, now);
      if (rank === undefined) return [];
      // Otherwise a server with a failure is never asked beside one that always has a newer block. After a slow one, none is tried.
      const failedAt = slow || now - reports.retryAt < BACKWARD ? reports.failedAt : 0;
      const candidate = { server, block, reports, rank, failedAt };
      return !slow || this.#isBefore(candidate, slow, now) ? [candidate] : [];
    });
    // The servers that proved the last head of a former client have not failed here before the first head.
    const place = ({ server }: Candidate) =>
      preferred.includes(server.name) ? preferred.indexOf(server.name) : preferred.length;
    return candidates.toSorted(
      (a, b) =>
        (slow ? b.rank - a.rank : 0) ||
        a.failedAt - b.failedAt ||
        (this.#accepted.last ? 0 : place(a) - place(b)) ||
        a.rank - b.rank ||
        b.block.seqno - a.block.seqno,
    )[0];
  }

  /** Whether a verification is given up for another block. One below the head is not urgent. */
  #isBefore({ server, reports, rank }: Candidate, slow: Verification, now: number): boolean {
    if (server === slow.server || rank > 1 || now - slow.startedAt < Math.max(SLOW_AFTER, reports.pause)) return false;
    return this.#accepted.last !== undefined || (reports.pace ?? Number.MAX_VALUE) > paceOf(slow);
  }

  /** Lower ranks come first; undefined if there is nothing to verify. */
  #rank(block: BlockId, { changedAt, compared }: Reports, trusted: BlockId, now: number): number | undefined {
    const { last } = this.#accepted;
    if (this.#context.headFrom) return block.seqno > (last?.block ?? trusted).seqno ? 1 : undefined;
    const known = this.#accepted.get(block.seqno)?.block;
    if (known) return isSameBlock(known, block) ? undefined : 0;
    if (block.seqno > (last?.block.seqno ?? trusted.seqno - 1)) return 1;
    if (!last || now - changedAt < BEHIND || (compared && isSameBlock(compared, block))) return undefined;
    return 2;
  }
}

/** Whether a server's newest block is one of the masterchain. Otherwise the server goes to quarantine. */
function isOfMasterchain(server: Server, block: BlockId): boolean {
  if (isSameShard(block, MASTERCHAIN) && block.seqno >= 0) return true;
  const { query, answer } = server.lastExchange;
  const id = `(${block.workchain}, ${BigInt.asUintN(64, block.shard).toString(16)}, ${block.seqno})`;
  server.quarantine(`its newest block must be one of the masterchain, got ${id}`, query, answer);
  return false;
}

/** Blocks a second to which a verification has led so far. */
function paceOf({ startedAt, from, at }: Verification): number {
  return (1_000 * (at - from)) / Math.max(1, performance.now() - startedAt);
}
