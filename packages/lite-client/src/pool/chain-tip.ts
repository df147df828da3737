import { hex } from "@chain-query/format/cells";
import { type BlockId, isSameBlock, isSameShard, MASTERCHAIN } from "@chain-query/format/identifiers";
import type { OnLiteEvent } from "./events.ts";
import type { Exchange, Server } from "./server.ts";

/** A masterchain block that the client trusts. */
export interface LiteHead {
  readonly block: BlockId;
  /** Unix seconds. */
  readonly time: number;
  readonly endLt: bigint;
  readonly stateRootHash: Uint8Array;
}

/** Milliseconds after which an unavailable server does not count: twice the longest pause before it is tried again. */
const REMEMBERED = 120_000;
/** Claims are kept for this many seqnos. */
const KEPT = 512;
/** Milliseconds after which an unsettled fork is removed. If it persists, it is detected again. */
const DISPUTE = 600_000;
const REVIEW_INTERVAL = 500;

/** The servers that report one block, each with its query and answer as evidence. */
interface Claim {
  readonly block: BlockId;
  readonly servers: Map<Server, Exchange>;
}

/** The blocks that servers report for one seqno. */
interface Claims {
  /** Time of the first report, as of `performance.now()`. */
  readonly since: number;
  all: Claim[];
  disputedSince: number | undefined;
}

/** The number of servers that have to report a block: 60 %, so 1 of 1, 2 of 2, 2 of 3, 3 of 5. */
export function requiredVotes(servers: number): number {
  return Math.max(1, Math.ceil((servers * 3) / 5));
}

/**
 * Decides which masterchain block is the head: the newest block that 60 % of the servers report with equal hashes. A server counts if it
 * was ready within the last two minutes, so that a minority does not decide while the others restart, or if it is not connected yet, so
 * that the fastest server at the start does not decide alone. A single server decides; of two servers, both have to agree. The head never
 * goes back.
 *
 * A server that reports another block than the majority for the same seqno goes to quarantine. Without a majority, the pool does not ask
 * the servers that disagree until there is one, for this seqno or a later one.
 */
export class ChainTip {
  head: LiteHead | undefined;
  readonly #servers: readonly Server[];
  readonly #readHeader: (block: BlockId) => Promise<LiteHead>;
  readonly #onEvent: OnLiteEvent;
  readonly #claims = new Map<number, Claims>();
  readonly #watchers = new Set<(head: LiteHead) => void>();
  /** Former heads by seqno. */
  readonly #adopted = new Map<number, BlockId>();
  /** Time of the last answer of each ready server, as of `performance.now()`. */
  readonly #seenAt = new Map<Server, number>();
  readonly #timer: NodeJS.Timeout;
  #isReading = false;
  /** The number of servers that had to report the head. */
  #needed = 0;

  /** @param readHeader - Reads and verifies the header of a block. */
  constructor(servers: readonly Server[], readHeader: (block: BlockId) => Promise<LiteHead>, onEvent: OnLiteEvent) {
    this.#servers = servers;
    this.#readHeader = readHeader;
    this.#onEvent = onEvent;
    this.#timer = setInterval(() => this.#review(), REVIEW_INTERVAL);
  }

  /** Calls `onHead` with each new head, until the returned function is called. */
  watch(onHead: (head: LiteHead) => void): () => void {
    this.#watchers.add(onHead);
    return () => this.#watchers.delete(onHead);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#watchers.clear();
  }

  /** Records the newest block of a server. */
  note(server: Server, block: BlockId): void {
    const exchange = server.lastExchange;
    if (!isSameShard(block, MASTERCHAIN) || block.seqno < 0) {
      const id = `(${block.workchain}, ${BigInt.asUintN(64, block.shard).toString(16)}, ${block.seqno})`;
      server.quarantine(`its newest block must be one of the masterchain, got ${id}`, exchange.query, exchange.answer);
      return;
    }
    const now = performance.now();
    this.#seenAt.set(server, now);
    const claims = this.#claims.get(block.seqno) ?? { since: now, all: [], disputedSince: undefined };
    this.#claims.set(block.seqno, claims);
    const claim = claims.all.find((each) => isSameBlock(each.block, block));
    if (claim?.servers.has(server)) return;
    server.lag = (now - claims.since) / 1000;
    if (claim) claim.servers.set(server, exchange);
    else claims.all.push({ block, servers: new Map([[server, exchange]]) });
    this.#settle(block.seqno, claims);
    for (const seqno of this.#claims.keys()) {
      if (this.#claims.size <= KEPT) break;
      this.#claims.delete(seqno);
    }
    void this.#advance();
  }

  #review(): void {
    const now = performance.now();
    for (const server of this.#servers) if (server.state === "ready") this.#seenAt.set(server, server.lastSeenAt);
    for (const [seqno, claims] of this.#claims) {
      if (claims.disputedSince === undefined) continue;
      if (now - claims.disputedSince > DISPUTE) this.#claims.delete(seqno);
      else this.#settle(seqno, claims);
    }
    this.#markDisputed();
    void this.#advance();
  }

  /** Looks for a majority among servers that report different blocks. */
  #settle(seqno: number, claims: Claims): void {
    for (const { servers } of claims.all) {
      for (const server of servers.keys()) if (server.state === "quarantined") servers.delete(server);
    }
    claims.all = claims.all.filter(({ servers }) => servers.size > 0);
    const known = this.#adopted.get(seqno);
    if (claims.all.length < 2 && claims.disputedSince === undefined && !known) return;
    // The reports of servers that are unavailable now still count.
    const involved = new Set([...this.#voters(), ...claims.all.flatMap(({ servers }) => [...servers.keys()])]);
    const needed = requiredVotes(involved.size);
    const right = claims.all.find(({ servers }) => servers.size >= needed);
    if (right) {
      if (known && !isSameBlock(known, right.block)) this.#reportWrongHead(seqno, known, claims);
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
    this.#markDisputed();
  }

  /** The majority reports another block than a former head, which a minority decided. One event for all such heads. */
  #reportWrongHead(seqno: number, known: BlockId, { all, disputedSince }: Claims): void {
    const isNamed = all.some(({ block }) => isSameBlock(block, known));
    if (disputedSince === undefined) this.#reportFork(seqno, isNamed ? all : [{ block: known, servers: new Map() }, ...all]);
    this.#adopted.clear();
  }

  #reportFork(seqno: number, claims: readonly Claim[]): void {
    const named = claims.map(({ block, servers }) => ({ block, servers: Array.from(servers.keys(), ({ name }) => name) }));
    this.#onEvent({ type: "fork", seqno, claims: named });
  }

  #quarantineMinority(seqno: number, wrong: Claim, right: Claim): void {
    const [named, majority] = [wrong, right].map(({ block }) => `${hex(block.rootHash)}:${hex(block.fileHash)}`);
    for (const [server, { query, answer }] of [...wrong.servers]) {
      for (const { all } of this.#claims.values()) for (const { servers } of all) servers.delete(server);
      server.quarantine(`reports masterchain block ${seqno} as ${named}, the others as ${majority}`, query, answer);
    }
  }

  #markDisputed(): void {
    const isOpen = ({ disputedSince, all }: Claims) =>
      disputedSince !== undefined && all.filter(({ servers }) => servers.size > 0).length > 1;
    const open = [...this.#claims.values()].filter(isOpen);
    const disputed = new Set(open.flatMap(({ all }) => all.flatMap(({ servers }) => [...servers.keys()])));
    for (const server of this.#servers) server.isDisputed = disputed.has(server);
  }

  #voters(): Server[] {
    const oldest = performance.now() - REMEMBERED;
    const counts = (server: Server) => !server.wasTried || (this.#seenAt.get(server) ?? Number.NEGATIVE_INFINITY) > oldest;
    return this.#servers.filter((server) => server.state !== "quarantined" && counts(server));
  }

  /** Reads the header of the newest block that enough servers report. */
  async #advance(): Promise<void> {
    if (this.#isReading) return;
    const candidate = this.#candidate();
    if (!candidate) return;
    this.#isReading = true;
    const head = await this.#readHeader(candidate).catch(() => undefined);
    this.#isReading = false;
    // The next review tries again.
    if (!head) return;
    this.head = head;
    const voters = this.#voters().length;
    if (requiredVotes(voters) < this.#needed) this.#onEvent({ type: "fewer-servers", seqno: candidate.seqno, servers: voters });
    this.#needed = requiredVotes(voters);
    this.#adopted.set(candidate.seqno, candidate);
    for (const seqno of this.#adopted.keys()) {
      if (this.#adopted.size <= KEPT) break;
      this.#adopted.delete(seqno);
    }
    this.#settleOlder(candidate);
    for (const onHead of this.#watchers) onHead(head);
    void this.#advance();
  }

  /** Settles disputes about older seqnos for servers that report the new head: other servers may never report those blocks. */
  #settleOlder(head: BlockId): void {
    const named = this.#claims.get(head.seqno)?.all.find(({ block }) => isSameBlock(block, head));
    for (const [seqno, claims] of this.#claims) {
      if (seqno >= head.seqno || claims.disputedSince === undefined) continue;
      for (const server of named?.servers.keys() ?? []) for (const { servers } of claims.all) servers.delete(server);
      this.#settle(seqno, claims);
    }
  }

  #candidate(): BlockId | undefined {
    const voters = new Set(this.#voters());
    const needed = requiredVotes(voters.size);
    let best: BlockId | undefined;
    for (const [seqno, { all }] of this.#claims) {
      if (seqno <= (best?.seqno ?? this.head?.block.seqno ?? 0)) continue;
      const isNamed = ({ servers }: Claim) => [...servers.keys()].filter((each) => voters.has(each)).length >= needed;
      best = all.find(isNamed)?.block ?? best;
    }
    return best;
  }
}
