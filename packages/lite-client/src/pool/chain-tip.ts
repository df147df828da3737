import { hex } from "@chain-query/format/cells";
import { type BlockId, isSameBlock } from "@chain-query/format/identifiers";
import { AcceptedHeads, type LiteHead } from "./accepted-heads.ts";
import { type Candidate, Claims } from "./claims.ts";
import type { OnLiteEvent } from "./events.ts";
import { Quorum } from "./quorum.ts";
import type { Server } from "./server.ts";
import { Standings } from "./standings.ts";
import { isOfMasterchain, type ReadTip, type Tip } from "./tip.ts";

const REVIEW_INTERVAL = 500;
/** Milliseconds for which a quorum has to contradict the head before it is given up. */
const CONTRADICTION = 60_000;
/** Milliseconds between proofs that a quorum with older blocks is on the chain of the head. */
const BEHIND_INTERVAL = 10_000;
/** Milliseconds between attempts at a proof that no server gives. Each pause is twice the previous one. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [1_000, 8_000];

/**
 * Decides which masterchain block is the head. The quorum is 60 % of the configured servers, or the option; unavailable servers count for
 * it, too, so that an outage does not hand the decision to the first one that recovers.
 *
 *   no head        → following      The quorum reports a block, and its header is read.
 *   following      → following      The quorum reports a newer block, its state proves that the head is its ancestor, and its time is
 *                                   not before the head's. While there is no quorum or no proof, the head stands.
 *                  → contradicted   60 % of the configured servers are foreign, or report an older block that the head's state does
 *                                   not have.
 *   contradicted   → following      Fewer servers contradict. Until then the head stands.
 *                  → given up       After a minute. There is no head for reads.
 *   given up       → following      The quorum reports a block whose state proves a former head. The newest such head is the last one
 *                                   that both know. If it is not the head that was given up, `resets` is raised: the head may go back.
 *
 * A server is foreign if its block is proved not to descend from the head: its block has a former head's seqno and other hashes, or its
 * state has another block in the place of the head. The proof is read for the block of a quorum, and once a minute for a server that
 * reports only other blocks. Foreign servers do not vote and go to quarantine, until so many are foreign that they contradict the head.
 */
export class ChainTip implements Tip {
  readonly forkedAt = undefined;
  readonly #servers: readonly Server[];
  readonly #read: ReadTip;
  readonly #onEvent: OnLiteEvent;
  readonly #quorum: Quorum;
  readonly #claims: Claims;
  readonly #standings = new Standings();
  readonly #accepted = new AcceptedHeads();
  readonly #watchers = new Set<(head: LiteHead) => void>();
  readonly #timer: NodeJS.Timeout;
  #isGivenUp = false;
  #contradictedSince: number | undefined;
  /** Whether a quorum has an older block that the head's state does not have, and when this was last asked. */
  #behind = { isOther: false, askedAt: Number.NEGATIVE_INFINITY };
  #resets = 0;
  #isReading = false;
  #failure: { readonly reason: string; readonly pause: number; readonly retryAt: number } | undefined;

  /** @param quorum - The number of servers that have to report a block; default: 60 %. */
  constructor(servers: readonly Server[], read: ReadTip, onEvent: OnLiteEvent, quorum?: number) {
    this.#servers = servers;
    this.#read = read;
    this.#onEvent = onEvent;
    this.#quorum = new Quorum(servers, quorum, onEvent);
    this.#claims = new Claims(this.#quorum.needed, onEvent);
    this.#timer = setInterval(() => this.#review(), REVIEW_INTERVAL);
  }

  /** Undefined before the first, and after it was given up. */
  get head(): LiteHead | undefined {
    return this.#isGivenUp ? undefined : this.#accepted.last;
  }

  /** The number of times that the head was given up for a block of another chain. */
  get resets(): number {
    return this.#resets;
  }

  /** Why no newer block becomes the head, in one line; undefined if nothing is wrong. */
  get problem(): string | undefined {
    const last = this.#accepted.last?.block.seqno;
    if (this.#isGivenUp) {
      return `block ${last} was given up, because ${this.#quorum.majority} of ${this.#servers.length} lite servers contradict it, and none of their blocks is proved to follow a former head${this.#failure ? `: ${this.#failure.reason}` : ""}`;
    }
    if (this.#contradictedSince !== undefined) {
      return `${this.#quorum.majority} of ${this.#servers.length} lite servers contradict block ${last}, which is given up after a minute`;
    }
    const { foreign } = this.#standings;
    const isFailing = this.#failure !== undefined && this.#failure.pause > FIRST_PAUSE;
    const unproved = isFailing ? `the newest block is not proved to follow block ${last}: ${this.#failure?.reason}` : undefined;
    return this.#quorum.shortage(foreign) ?? unproved ?? this.#quorum.disagreement(last, foreign);
  }

  /** Whether a server has reported the head. */
  isReportedBy(server: Server): boolean {
    return this.head !== undefined && this.#claims.has(server, this.head.block);
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
    if (!isOfMasterchain(server, block)) return;
    const known = this.#isGivenUp ? undefined : this.#accepted.get(block.seqno)?.block;
    if (known && !isSameBlock(known, block)) {
      this.#refute([server], block, known);
      return;
    }
    if (known) this.#standings.confirm(server);
    if (!this.#isGivenUp && this.#standings.isForeign(server)) return;
    this.#claims.add(server, block);
    void this.#advance();
  }

  #review(): void {
    this.#claims.review();
    this.#quorum.review(this.#standings.foreign);
    if (!this.#isGivenUp) {
      this.#audit();
      this.#reviewBehind();
      this.#reviewContradiction();
    }
    this.#markDisputed();
    void this.#advance();
  }

  #markDisputed(): void {
    const { disputed } = this.#claims;
    const isForeign = (server: Server) => !this.#isGivenUp && this.#standings.isForeign(server);
    for (const server of this.#servers) {
      const isDisputed = disputed.has(server) || isForeign(server);
      server.dispute = isDisputed ? "reports another block than other servers" : undefined;
    }
  }

  /** Reads the proof of the newest block that the quorum reports. */
  async #advance(): Promise<void> {
    this.#markDisputed();
    if (this.#isReading) return;
    const above = this.#isGivenUp ? 0 : (this.#accepted.last?.block.seqno ?? 0);
    const candidate = this.#claims.newest(above, this.#isGivenUp ? this.#quorum.strict : undefined);
    if (!candidate) this.#failure = undefined;
    if (!candidate || performance.now() < (this.#failure?.retryAt ?? 0)) return;
    this.#isReading = true;
    try {
      await (this.#isGivenUp ? this.#recover(candidate) : this.#follow(candidate));
      this.#failure = undefined;
    } catch (error) {
      const pause = this.#failure ? Math.min(LONGEST_PAUSE, 2 * this.#failure.pause) : FIRST_PAUSE;
      const reason = error instanceof Error ? error.message : String(error);
      this.#failure = { reason, pause, retryAt: performance.now() + pause };
      return;
    } finally {
      this.#isReading = false;
    }
    void this.#advance();
  }

  async #follow({ block, servers }: Candidate): Promise<void> {
    const { last } = this.#accepted;
    const { head, isDescendant } = await this.#prove(block, last);
    if (this.#isGivenUp) return;
    if (isDescendant) this.#adopt(head, servers);
    else if (last) this.#refute(servers, block, last.block);
  }

  /** Whether a block descends from a former head, and is not older. */
  async #prove(
    block: BlockId,
    former: LiteHead | undefined,
    server?: Server,
  ): Promise<{ head: LiteHead; isDescendant: boolean }> {
    const { head, ancestor } = await this.#read(block, former?.block.seqno, server);
    const isDescendant = !former || (!!ancestor && isSameBlock(ancestor, former.block) && head.time >= former.time);
    return { head, isDescendant };
  }

  #adopt(head: LiteHead, servers: readonly Server[]): void {
    this.#accepted.add(head);
    for (const server of servers) this.#standings.confirm(server);
    this.#quorum.advanced();
    this.#claims.settleOlder(head.block);
    for (const onHead of this.#watchers) onHead(head);
  }

  /** After the head was given up: finds the newest former head in the history of the quorum's block. */
  async #recover({ block, servers }: Candidate): Promise<void> {
    const former = this.#accepted.upTo(block.seqno);
    let [low, high] = [0, former.length];
    let head: LiteHead | undefined;
    while (low < high) {
      // First the newest one, then a binary search.
      const middle = high === former.length ? high - 1 : Math.floor((low + high) / 2);
      const tried = former[middle];
      if (!tried) break;
      if (isSameBlock(tried.block, block)) {
        head = tried;
        low = middle + 1;
      } else if (tried.block.seqno === block.seqno) high = middle;
      else {
        const proof = await this.#prove(block, tried);
        head = proof.head;
        if (proof.isDescendant) low = middle + 1;
        else high = middle;
      }
    }
    const common = former[low - 1];
    if (!common || !head) throw new Error(`block ${block.seqno} has none of the former heads in its history`);
    const given = this.#accepted.last?.block;
    this.#isGivenUp = false;
    this.#contradictedSince = undefined;
    this.#behind = { isOther: false, askedAt: Number.NEGATIVE_INFINITY };
    this.#standings.clear();
    if (given && given.seqno !== common.block.seqno) this.#resets += 1;
    this.#accepted.cutAbove(Math.min(common.block.seqno, block.seqno - 1));
    this.#onEvent({ type: "head-recovered", seqno: block.seqno, common: common.block.seqno, givenUp: given?.seqno ?? 0 });
    this.#adopt(head, servers);
  }

  /** Servers report a block that does not descend from a former head. */
  #refute(servers: readonly Server[], block: BlockId, former: BlockId): void {
    const named = servers.filter((server) => !this.#standings.isForeign(server));
    for (const server of servers) {
      this.#standings.refute(server);
      this.#claims.remove(server);
    }
    const others = this.#servers.filter((server) => server.state === "ready" && !this.#standings.isForeign(server));
    const names = (list: readonly Server[]) => list.map(({ name }) => name);
    if (named.length > 0) {
      const claims = [
        { block: former, servers: names(others) },
        { block, servers: names(named) },
      ];
      this.#onEvent({ type: "fork", seqno: block.seqno, claims });
    }
    if (this.#standings.foreign.length < this.#quorum.majority) {
      const isSameSeqno = block.seqno === former.seqno;
      const [other, own] = [block, former].map(({ rootHash, fileHash }) => `${hex(rootHash)}:${hex(fileHash)}`);
      const reason = isSameSeqno
        ? `reports masterchain block ${block.seqno} as ${other}, which was the head as ${own}`
        : `its block ${block.seqno} does not descend from block ${former.seqno}, which was the head`;
      for (const server of servers) server.quarantine(reason, server.lastExchange.query, server.lastExchange.answer);
    }
    this.#reviewContradiction();
    this.#markDisputed();
  }

  /** Asks servers that report only unknown blocks above the head whether these descend from it. */
  #audit(): void {
    const last = this.#accepted.last;
    if (!last) return;
    for (const server of this.#servers) {
      const { block, state } = server;
      if (state !== "ready" || !block || block.seqno <= last.block.seqno || !this.#standings.takeAudit(server)) continue;
      this.#prove(block, last, server).then(
        ({ isDescendant }) => {
          if (this.#isGivenUp) return;
          if (!isDescendant) return this.#refute([server], block, last.block);
          this.#standings.confirm(server);
          // It was ignored while the server was foreign.
          this.note(server, block);
        },
        // No proof in either direction.
        () => {},
      );
    }
  }

  /** Checks a quorum whose servers all have older blocks than the head: its newest block must be in the history of the head. */
  #reviewBehind(): void {
    const last = this.#accepted.last;
    const behind = this.#servers.filter(
      ({ state, block }) => state === "ready" && (block?.seqno ?? 0) < (last?.block.seqno ?? 0),
    );
    const newest = this.#claims.newest(-1, this.#quorum.strict, (server) => behind.includes(server));
    const known = newest && this.#accepted.get(newest.block.seqno);
    if (!last || !newest || newest.block.seqno >= last.block.seqno || (known && isSameBlock(known.block, newest.block))) {
      this.#behind.isOther = false;
      return;
    }
    const now = performance.now();
    if (now - this.#behind.askedAt < BEHIND_INTERVAL) return;
    const state = { isOther: this.#behind.isOther, askedAt: now };
    this.#behind = state;
    this.#read(last.block, newest.block.seqno).then(
      ({ ancestor }) => {
        state.isOther = !ancestor || !isSameBlock(ancestor, newest.block);
      },
      // No server knows the head.
      () => {
        state.isOther = true;
      },
    );
  }

  #reviewContradiction(): void {
    const last = this.#accepted.last;
    const { foreign } = this.#standings;
    const isContradicted = foreign.length >= this.#quorum.majority || this.#behind.isOther;
    if (!isContradicted || !last) {
      this.#contradictedSince = undefined;
      return;
    }
    const now = performance.now();
    const { seqno } = last.block;
    if (this.#contradictedSince === undefined) {
      this.#contradictedSince = now;
      this.#onEvent({ type: "head-contradicted", seqno, servers: foreign.map(({ name }) => name) });
      for (const server of foreign) server.release();
    }
    if (now - this.#contradictedSince < CONTRADICTION) return;
    this.#isGivenUp = true;
    this.#failure = undefined;
    this.#onEvent({ type: "head-given-up", seqno });
    this.#claims.clear();
    for (const server of this.#servers) if (server.state === "ready" && server.block) this.note(server, server.block);
  }
}
