import { hex } from "@chain-query/format/cells";
import { type BlockId, isSameBlock } from "@chain-query/format/identifiers";
import type { OnLiteEvent } from "./events.ts";
import type { Exchange, Server } from "./server.ts";

/** The servers that report one block, each with its query and answer as evidence. */
interface Claim {
  readonly block: BlockId;
  readonly servers: Map<Server, Exchange>;
}

/** The blocks that servers report for one seqno. */
interface SeqnoClaims {
  /** Time of the first report, as of `performance.now()`. */
  readonly since: number;
  all: Claim[];
  disputedSince: number | undefined;
}

/** A block and the servers that report it. */
export interface Candidate {
  readonly block: BlockId;
  readonly servers: readonly Server[];
}

/** Claims are kept for this many seqnos. */
const KEPT = 512;
/** Milliseconds after which an unsettled fork is removed. If it persists, it is detected again. */
const DISPUTE = 600_000;

/** A block wins if this many servers report it, and fewer report any other block of its seqno. */
function winner(claims: readonly Claim[], needed: number, votes = ({ servers }: Claim) => servers.size): Claim | undefined {
  const [first, second] = claims.toSorted((a, b) => votes(b) - votes(a));
  return first && votes(first) >= needed && votes(first) > (second ? votes(second) : 0) ? first : undefined;
}

/**
 * The masterchain blocks that servers report. A server that reports another block than the quorum for the same seqno goes to quarantine.
 * Without a quorum, the servers that disagree are disputed until there is one, for this seqno or a later one.
 */
export class Claims {
  readonly #needed: number;
  readonly #onEvent: OnLiteEvent;
  readonly #claims = new Map<number, SeqnoClaims>();
  /** The seqno of the last report of each server. */
  readonly #reported = new Map<Server, number>();

  /** @param needed - The number of servers that have to report a block. */
  constructor(needed: number, onEvent: OnLiteEvent) {
    this.#needed = needed;
    this.#onEvent = onEvent;
  }

  /** Records the newest block of a server. */
  add(server: Server, block: BlockId): void {
    const now = performance.now();
    // A server that went back may be of another chain now.
    if (block.seqno < (this.#reported.get(server) ?? 0)) this.remove(server);
    this.#reported.set(server, block.seqno);
    const claims = this.#claims.get(block.seqno) ?? { since: now, all: [], disputedSince: undefined };
    this.#claims.set(block.seqno, claims);
    const claim = claims.all.find((each) => isSameBlock(each.block, block));
    if (claim?.servers.has(server)) return;
    server.lag = (now - claims.since) / 1000;
    const exchange = server.lastExchange;
    if (claim) claim.servers.set(server, exchange);
    else claims.all.push({ block, servers: new Map([[server, exchange]]) });
    this.#settle(block.seqno, claims);
    for (const seqno of this.#claims.keys()) {
      if (this.#claims.size <= KEPT) break;
      this.#claims.delete(seqno);
    }
  }

  /** Removes all reports of a server. */
  remove(server: Server): void {
    for (const { all } of this.#claims.values()) for (const { servers } of all) servers.delete(server);
  }

  clear(): void {
    this.#claims.clear();
  }

  /** Settles disputes whose servers have changed, and removes old ones. */
  review(): void {
    const now = performance.now();
    for (const [seqno, claims] of this.#claims) {
      if (claims.disputedSince === undefined) continue;
      if (now - claims.disputedSince > DISPUTE) this.#claims.delete(seqno);
      else this.#settle(seqno, claims);
    }
  }

  /** Settles disputes about older seqnos for servers that report the new head: other servers may never report those blocks. */
  settleOlder(head: BlockId): void {
    const named = this.#claims.get(head.seqno)?.all.find(({ block }) => isSameBlock(block, head));
    for (const [seqno, claims] of this.#claims) {
      if (seqno >= head.seqno || claims.disputedSince === undefined) continue;
      for (const server of named?.servers.keys() ?? []) for (const { servers } of claims.all) servers.delete(server);
      this.#settle(seqno, claims);
    }
  }

  /**
   * The newest block that enough servers report.
   *
   * @param above - A seqno below the block's.
   * @param counts - Whether the report of a server counts.
   */
  newest(
    above: number,
    needed: number = this.#needed,
    counts: (server: Server) => boolean = () => true,
  ): Candidate | undefined {
    let best: Candidate | undefined;
    const voters = ({ servers }: Claim) => [...servers.keys()].filter((each) => each.state !== "quarantined" && counts(each));
    for (const [seqno, { all }] of this.#claims) {
      if (seqno <= (best?.block.seqno ?? above)) continue;
      const claim = winner(all, needed, (each) => voters(each).length);
      if (claim) best = { block: claim.block, servers: voters(claim) };
    }
    return best;
  }

  /** Whether a server has reported a block. */
  has(server: Server, block: BlockId): boolean {
    const claims = this.#claims.get(block.seqno)?.all ?? [];
    return claims.some((claim) => isSameBlock(claim.block, block) && claim.servers.has(server));
  }

  /** The servers that report different blocks with one seqno, without a quorum. */
  get disputed(): ReadonlySet<Server> {
    const isOpen = ({ disputedSince, all }: SeqnoClaims) =>
      disputedSince !== undefined && all.filter(({ servers }) => servers.size > 0).length > 1;
    const open = [...this.#claims.values()].filter(isOpen);
    return new Set(open.flatMap(({ all }) => all.flatMap(({ servers }) => [...servers.keys()])));
  }

  /** Looks for a quorum among servers that report different blocks. The reports of servers that are unavailable now still count. */
  #settle(seqno: number, claims: SeqnoClaims): void {
    for (const { servers } of claims.all) {
      for (const server of servers.keys()) if (server.state === "quarantined") servers.delete(server);
    }
    claims.all = claims.all.filter(({ servers }) => servers.size > 0);
    if (claims.all.length < 2 && claims.disputedSince === undefined) return;
    const right = winner(claims.all, this.#needed);
    if (right) {
      for (const claim of claims.all) if (claim !== right) this.#quarantineMinority(seqno, claim, right);
      claims.all = [right];
    } else if (claims.all.length > 1) {
      // One event for servers that continue their fork.
      const isKnown = claims.all.every(({ servers }) => [...servers.keys()].every(({ isDisputed }) => isDisputed));
      if (!isKnown) this.#reportFork(seqno, claims.all);
      claims.disputedSince ??= performance.now();
    }
    if (claims.all.length < 2 && claims.disputedSince !== undefined) {
      this.#onEvent({ type: "fork-settled", seqno });
      claims.disputedSince = undefined;
    }
  }

  #reportFork(seqno: number, claims: readonly Claim[]): void {
    const named = claims.map(({ block, servers }) => ({ block, servers: Array.from(servers.keys(), ({ name }) => name) }));
    this.#onEvent({ type: "fork", seqno, claims: named });
  }

  #quarantineMinority(seqno: number, wrong: Claim, right: Claim): void {
    const [named, majority] = [wrong, right].map(({ block }) => `${hex(block.rootHash)}:${hex(block.fileHash)}`);
    for (const [server, { query, answer }] of [...wrong.servers]) {
      this.remove(server);
      server.quarantine(`reports masterchain block ${seqno} as ${named}, the others as ${majority}`, query, answer);
    }
  }
}
