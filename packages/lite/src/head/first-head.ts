import { pause } from "@chain-query/format/async";
import type { BlockId } from "@chain-query/format/identifiers";
import type { Server } from "../servers/server.ts";
import { LiteError } from "../wire/lite-error.ts";
import type { Reports } from "./candidates.ts";
import type { Verification } from "./heads.ts";
import type { RefusedForks } from "./refused-forks.ts";

/** Servers that are asked at the same time, and milliseconds without an answer after which others are asked beside one. */
const [CANDIDATES, STALLED_AFTER] = [3, 1_500];
/** Milliseconds from the start in which the newest block is chosen from the reports of all servers, before the first verification. */
const CHOICE = 500;
/** Milliseconds from the start for which the first head waits for the newest blocks of all servers. */
const FIRST_REPORTS = 2_000;
/**
 * Milliseconds for each answer of a server whose block contradicts the first proved one, and for all of them beside the time that the first
 * proof took: valid links may come one by one. What takes longer goes on beside the first head, for as long as a server that proves a long
 * way may need.
 */
const [COMPARISON, LONGEST_COMPARISON, LATE_COMPARISON] = [2_000, 5_000, 600_000];

/** A proved block, one of another signed chain, and the server that proved it. */
type Contradiction = readonly [verified: BlockId, other: BlockId, server: Server];

/** What is special before the first head: several servers are asked at the same time, and none of them may prove another chain. */
export class FirstHead {
  readonly #servers: readonly Server[];
  readonly #reports: ReadonlyMap<Server, Reports>;
  readonly #refused: RefusedForks;
  readonly #closing: AbortSignal;
  readonly #startedAt = performance.now();
  /** Servers whose chain contradicts the first proved block, and whose proofs were under way when it became the head. */
  #slow: readonly Server[] = [];

  constructor(servers: readonly Server[], reports: ReadonlyMap<Server, Reports>, refused: RefusedForks, closing: AbortSignal) {
    this.#servers = servers;
    this.#reports = reports;
    this.#refused = refused;
    this.#closing = closing;
  }

  /** Whether another verification may begin beside those that run: not beside one that gives answers. */
  mayBegin(running: readonly Verification[]): boolean {
    const now = performance.now();
    if (now - this.#startedAt < CHOICE && this.#isAnyUnheard) return false;
    const active = running.filter(({ progressAt }) => now - progressAt < STALLED_AFTER);
    return active.length < CANDIDATES && active.every(({ signatures }) => signatures === 0);
  }

  /** Whether the newest block of a server is not known yet, but may be soon. */
  get #isAnyUnheard(): boolean {
    return this.#servers.some((each) => each.state === "connecting" || (each.state === "ready" && !this.#reports.has(each)));
  }

  /**
   * Waits a short time until all servers have reported a block, and proves those that contradict a proved one. Undefined if none is proved
   * in a short time.
   *
   * @param prover - The server that proved the block.
   */
  async contradiction(prover: Server, proved: BlockId): Promise<Contradiction | undefined> {
    const isEarly = () => performance.now() - this.#startedAt < FIRST_REPORTS;
    while (!this.#closing.aborted && this.#isAnyUnheard && isEarly()) await pause(50, this.#closing);
    const limit = LONGEST_COMPARISON + performance.now() - this.#startedAt;
    const others = this.#servers.filter((each) => each !== prover && each.state === "ready");
    const each = others.map((other) => this.#contradicted(other, proved, prover, [COMPARISON, limit]));
    const found = await Promise.all(each);
    this.#slow = others.filter((_, index) => found[index] === "slow");
    return found.find((one) => typeof one === "object");
  }

  /**
   * As `contradiction`, of servers whose proofs have taken too long: their chain may be the longer one from the trusted block. One after
   * another, since each may take seconds of computation.
   */
  async lateContradiction(prover: Server, proved: BlockId): Promise<Contradiction | undefined> {
    const endAt = performance.now() + LATE_COMPARISON;
    for (const server of this.#slow) {
      const left = Math.max(0, endAt - performance.now());
      const found = await this.#contradicted(server, proved, prover, [left, left]);
      if (typeof found === "object") return found;
    }
    return undefined;
  }

  async #contradicted(
    server: Server,
    proved: BlockId,
    prover: Server,
    limits: readonly [each: number, all: number],
  ): Promise<Contradiction | "slow" | undefined> {
    const block = this.#reports.get(server)?.blocks.at(-1);
    if (!block || this.#closing.aborted) return undefined;
    const end = new AbortController();
    const stop = () => end.abort(new LiteError("timeout", "no proof within the time for it"));
    const timers = limits.map((ms) => setTimeout(stop, ms));
    try {
      const signal = AbortSignal.any([this.#closing, end.signal]);
      const known = await this.#refused.prove(server, block, proved, signal, () => timers[0]?.refresh(), prover);
      return known && [known, block, server];
    } catch {
      // It gives no proof now. As after the first head, it is asked again.
      return end.signal.aborted ? "slow" : undefined;
    } finally {
      for (const timer of timers) clearTimeout(timer);
    }
  }
}
