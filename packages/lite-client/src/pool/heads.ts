import type { BlockId } from "@chain-query/format/identifiers";
import type { OnLiteEvent } from "./events.ts";
import type { Server } from "./server.ts";

/** A masterchain block that the client trusts. */
export interface LiteHead {
  readonly block: BlockId;
  /** Unix seconds. */
  readonly time: number;
  readonly endLt: bigint;
  readonly stateRootHash: Uint8Array;
}

/** A server that was silent for longer has no say. */
const HEARD_WITHIN = 5_000;
/** Numbers of blocks whose claims are kept. */
const KEPT = 512;
/** A fork that no majority settles is forgotten after this time, and noticed again if it persists. */
const DISPUTE = 600_000;
const REVIEW_INTERVAL = 500;

/** The servers that name one block. */
interface Claim {
  readonly block: BlockId;
  readonly servers: Set<Server>;
}

/** What the servers say of one number. */
interface Claims {
  /** When the first server named a block of this number, as of `performance.now()`. */
  readonly since: number;
  readonly all: Claim[];
  disputedSince: number | undefined;
}

/** The number of servers that have to name a block: 60 % of those that take part, so 1 of 1, 2 of 2, 2 of 3, 3 of 5. */
export function neededOf(servers: number): number {
  return Math.max(1, Math.ceil((servers * 3) / 5));
}

/**
 * Decides which masterchain block is the head: the newest one that 60 % of the servers name with the same root hash. Servers take part
 * if they answered within 5 seconds, or if they are about to be connected for the first time: otherwise the fastest server at the start
 * would decide alone. With one server, its word counts; with two, both have to agree as long as both answer. The head never goes back.
 *
 * Servers that name another block than the majority with the same number go to quarantine. Without a majority, all that are involved
 * are left out until there is one.
 */
export class Heads {
  head: LiteHead | undefined;
  readonly #servers: readonly Server[];
  readonly #readHeader: (block: BlockId) => Promise<LiteHead>;
  readonly #onEvent: OnLiteEvent;
  readonly #claims = new Map<number, Claims>();
  readonly #watchers = new Set<(head: LiteHead) => void>();
  /** Root hashes of the heads so far. */
  readonly #adopted = new Map<number, Uint8Array>();
  readonly #timer: NodeJS.Timeout;
  #isReading = false;

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

  /** A server names its newest block. */
  note(server: Server, block: BlockId): void {
    const now = performance.now();
    const claims = this.#claims.get(block.seqno) ?? { since: now, all: [], disputedSince: undefined };
    this.#claims.set(block.seqno, claims);
    const claim = claims.all.find((each) => isSame(each.block, block));
    if (claim?.servers.has(server)) return;
    server.lag = (now - claims.since) / 1000;
    if (claim) claim.servers.add(server);
    else claims.all.push({ block, servers: new Set([server]) });
    if (claims.all.length > 1) this.#settle(block.seqno, claims);
    for (const seqno of this.#claims.keys()) {
      if (this.#claims.size <= KEPT) break;
      this.#claims.delete(seqno);
    }
    void this.#advance();
  }

  #review(): void {
    const now = performance.now();
    for (const [seqno, { disputedSince }] of this.#claims) {
      if (disputedSince !== undefined && now - disputedSince > DISPUTE) this.#claims.delete(seqno);
    }
    this.#markDisputed();
    void this.#advance();
  }

  /** Looks for a majority among servers that name different blocks. */
  #settle(seqno: number, claims: Claims): void {
    const adopted = this.#adopted.get(seqno);
    const needed = neededOf(this.#voters().length);
    const right = claims.all.find(({ block, servers }) =>
      adopted ? Buffer.compare(block.rootHash, adopted) === 0 : servers.size >= needed,
    );
    if (!right) {
      // One alarm for servers that go on with their own blocks.
      if (!claims.all.every(({ servers }) => [...servers].every(({ isDisputed }) => isDisputed))) {
        const named = claims.all.map(({ block, servers }) => ({ block, servers: Array.from(servers, ({ name }) => name) }));
        this.#onEvent({ type: "fork", seqno, claims: named });
      }
      claims.disputedSince ??= performance.now();
    } else {
      for (const claim of claims.all.filter((each) => each !== right)) this.#expel(seqno, claim, right);
      if (claims.disputedSince !== undefined) this.#onEvent({ type: "fork-settled", seqno });
      claims.disputedSince = undefined;
    }
    this.#markDisputed();
  }

  #expel(seqno: number, wrong: Claim, right: Claim): void {
    const [named, majority] = [wrong, right].map(({ block }) => Buffer.from(block.rootHash).toString("hex"));
    for (const server of wrong.servers) {
      for (const { all } of this.#claims.values()) for (const { servers } of all) servers.delete(server);
      server.quarantine(`names masterchain block ${seqno} as ${named}, the others as ${majority}`, NOTHING, NOTHING);
    }
  }

  #markDisputed(): void {
    const isOpen = ({ disputedSince, all }: Claims) =>
      disputedSince !== undefined && all.filter(({ servers }) => servers.size > 0).length > 1;
    const open = [...this.#claims.values()].filter(isOpen);
    const disputed = new Set(open.flatMap(({ all }) => all.flatMap(({ servers }) => [...servers])));
    for (const server of this.#servers) server.isDisputed = disputed.has(server);
  }

  #voters(): Server[] {
    const oldest = performance.now() - HEARD_WITHIN;
    return this.#servers.filter(({ state, wasTried, heardAt }) => (state === "ready" ? heardAt > oldest : !wasTried));
  }

  /** Reads the header of the newest block that enough servers name. */
  async #advance(): Promise<void> {
    if (this.#isReading) return;
    const candidate = this.#candidate();
    if (!candidate) return;
    this.#isReading = true;
    const head = await this.#readHeader(candidate).catch(() => undefined);
    this.#isReading = false;
    // If it cannot be read now, the next review tries again.
    if (!head) return;
    this.head = head;
    this.#adopted.set(candidate.seqno, candidate.rootHash);
    for (const seqno of this.#adopted.keys()) {
      if (this.#adopted.size <= KEPT) break;
      this.#adopted.delete(seqno);
    }
    for (const onHead of this.#watchers) onHead(head);
    void this.#advance();
  }

  #candidate(): BlockId | undefined {
    const voters = new Set(this.#voters());
    const needed = neededOf(voters.size);
    let best: BlockId | undefined;
    for (const [seqno, { all }] of this.#claims) {
      if (seqno <= (best?.seqno ?? this.head?.block.seqno ?? 0)) continue;
      const isNamed = ({ servers }: Claim) =>
        [...servers].filter((each) => voters.has(each) && !each.isDisputed).length >= needed;
      best = all.find(isNamed)?.block ?? best;
    }
    return best;
  }
}

const NOTHING: Uint8Array = new Uint8Array();

function isSame(a: BlockId, b: BlockId): boolean {
  return Buffer.compare(a.rootHash, b.rootHash) === 0 && Buffer.compare(a.fileHash, b.fileHash) === 0;
}
