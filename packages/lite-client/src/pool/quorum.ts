import type { OnLiteEvent } from "./events.ts";
import type { Server } from "./server.ts";

/** Milliseconds without a quorum after which it is reported. */
const GRACE = 5_000;
const REMEDY = "remove servers that stay unavailable, behind or wrong from the file, or choose a lower quorum";

/** 60 % of a number of servers: 1 of 1, 2 of 2, 2 of 3, 3 of 5. */
export function requiredVotes(servers: number): number {
  return Math.max(1, Math.ceil((servers * 3) / 5));
}

/** The number of servers that have to report a block, and why they do not. */
export class Quorum {
  /** The number of servers that have to report a block. */
  readonly needed: number;
  /** 60 % of the configured servers. */
  readonly majority: number;
  readonly #servers: readonly Server[];
  readonly #onEvent: OnLiteEvent;
  /** Since when too few servers are usable, and since when there is no newer head; as of `performance.now()`. */
  #missingSince: number | undefined;
  #advancedAt = performance.now();
  #isReported = false;

  constructor(servers: readonly Server[], needed: number | undefined, onEvent: OnLiteEvent) {
    this.majority = requiredVotes(servers.length);
    this.needed = needed ?? this.majority;
    this.#servers = servers;
    this.#onEvent = onEvent;
  }

  /** The number of servers that decide against a former head. */
  get strict(): number {
    return Math.max(this.needed, this.majority);
  }

  /** There is a new head. */
  advanced(): void {
    this.#advancedAt = performance.now();
  }

  /** Reports when too few servers are usable, and when enough of them are. */
  review(foreign: readonly Server[]): void {
    const now = performance.now();
    const usable = this.#usable(foreign);
    if (usable.length >= this.needed) {
      this.#missingSince = undefined;
      if (this.#isReported) this.#onEvent({ type: "quorum", servers: usable.length });
      this.#isReported = false;
      return;
    }
    this.#missingSince ??= now;
    if (this.#isReported || now - this.#missingSince < GRACE) return;
    this.#isReported = true;
    const { unavailable, neverAnswered } = this.#missing(foreign);
    this.#onEvent({ type: "no-quorum", needed: this.needed, servers: usable.length, unavailable, neverAnswered });
  }

  /** That too few servers can be used, in one line; undefined if there are enough, and in the first seconds. */
  shortage(foreign: readonly Server[]): string | undefined {
    const now = performance.now();
    const usable = this.#usable(foreign);
    if (usable.length >= this.needed || now - (this.#missingSince ?? now) < GRACE) return undefined;
    const { unavailable, neverAnswered } = this.#missing(foreign);
    const lists = [
      ["never answered", neverAnswered],
      ["unavailable", unavailable],
      ["of another chain", foreign.map(({ name }) => name)],
    ] as const;
    const named = lists.flatMap(([what, names]) => (names.length > 0 ? `${what}: ${names.join(", ")}` : []));
    return `no new block can be accepted: ${this.#rule}, ${usable.length} can be used; ${named.join("; ")}; ${REMEDY}`;
  }

  /** That the servers report different newest blocks, in one line; undefined if they agree, and in the first seconds. */
  disagreement(head: number | undefined, foreign: readonly Server[]): string | undefined {
    const usable = this.#usable(foreign);
    const isAhead = usable.some(({ block }) => (block?.seqno ?? 0) > (head ?? 0));
    if (usable.length < this.needed || !isAhead || performance.now() - this.#advancedAt < GRACE) return undefined;
    const newest = usable.map(({ name, block }) => `${name} reports ${block?.seqno}`);
    return `no new block can be accepted: ${this.#rule}, and they do not agree; ${newest.join(", ")}; ${REMEDY}`;
  }

  get #rule(): string {
    return `${this.needed} of ${this.#servers.length} lite servers have to report a block`;
  }

  #usable(foreign: readonly Server[]): Server[] {
    return this.#servers.filter((server) => server.state === "ready" && !foreign.includes(server));
  }

  #missing(foreign: readonly Server[]): { readonly unavailable: string[]; readonly neverAnswered: string[] } {
    const missing = this.#servers.filter((server) => server.state !== "ready" && !foreign.includes(server));
    const names = (hasAnswered: boolean) =>
      missing.filter(({ lastSeenAt }) => Number.isFinite(lastSeenAt) === hasAnswered).map(({ name }) => name);
    return { unavailable: names(true), neverAnswered: names(false) };
  }
}
