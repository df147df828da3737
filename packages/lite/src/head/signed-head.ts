import { type BlockId, isSameBlock } from "@chain-query/format/identifiers";
import type { VerifiedBlockProof } from "../proof/block-links.ts";
import type { Server } from "../servers/server.ts";
import { LiteError } from "../wire/lite-error.ts";
import { type Candidate, Candidates, type CandidatesContext, SLOW_AFTER } from "./candidates.ts";
import { FirstHead } from "./first-head.ts";
import { AcceptedHeads, ancestorOf, type LiteHead, type Verification } from "./heads.ts";
import { RefusedForks, type RefusedForksContext, verifiedBlock } from "./refused-forks.ts";
import { type SignedFork, SignedForkRecord, type SignedForkStore } from "./signed-fork.ts";

interface SignedHeadContext extends RefusedForksContext, CandidatesContext {
  /** Receives each newer key block that is verified. */
  readonly keep: (keyBlock: BlockId) => void;
  /** The file from which the trusted block was read, if it was. */
  readonly anchorFile?: string | undefined;
  /** Where it is kept that validators have signed two chains. */
  readonly forks?: SignedForkStore | undefined;
}

/** Milliseconds between the begin of two verifications, at least, and between two looks at the reports of the servers. */
const [VERIFY_INTERVAL, REVIEW_INTERVAL] = [1_000, 250];
/** Milliseconds without a newer head after which the reason is a problem. */
const GRACE = 5_000;
/** Milliseconds between two milestones of the first verification. */
const MILESTONE = 10_000;
/** Milliseconds between two log lines while nothing can be verified. */
const REMINDER = 60_000;
/** The reason of verifications that are not needed any more. */
const superseded = new LiteError("unavailable", "another server is faster");

/**
 * Decides which masterchain block is the head by the signatures of validators: the newest one that any server proves.
 *
 *   no head    → following   A server proves its block by links from the trusted block, not below it, and no other server proves one that
 *                            contradicts it.
 *              → forked      A server proves such a block, or there is a record that one did.
 *   following  → following   A server proves a newer block, whose state has the head in its history. At most once a second.
 *              → forked      The proof of a server that contradicts the first head took long, and is complete.
 *              → forked      A server proves a block of another chain: one with the seqno of a head and other hashes, one whose state has
 *                            another block in the place of the head, or an older one that is not in the history of the head.
 *              → following   With `headFrom`: that server has a newer block, in whose history is the last head, or the trusted block. Its
 *                            proof, and other servers, do not matter.
 *   forked                   There is no head, until the client is closed, and no later client has one, until an operator removes the record.
 *
 * A block is proved if it descends from the newest verified key block. So a chain that former validators sign beside that block is refused
 * and does not end reads. It is reported if it descends from the block that the client trusted at first.
 *
 * Which server is asked next, and when again, is decided in `candidates.ts`; what is special before the first head in `first-head.ts`.
 *
 * Reads ask servers that have not reported a verified block as the last ones, and never wait for a verification.
 */
export class SignedHead {
  readonly #context: SignedHeadContext;
  readonly #accepted = new AcceptedHeads();
  readonly #refused: RefusedForks;
  readonly #first: FirstHead;
  readonly #candidates: Candidates;
  readonly #watchers = new Set<(head: LiteHead) => void>();
  readonly #timer: NodeJS.Timeout;
  readonly #startedAt = performance.now();
  /** The newest verified key block, from which links lead to the next head. */
  #trusted: BlockId;
  /** The block that is being verified, or was last. */
  #target: BlockId | undefined;
  /** At most one after the first head. */
  readonly #running = new Set<Verification>();
  /** Whether a block is proved that may become the first head. */
  #isProved = false;
  /** Whether the first head was compared with all chains that servers proved. */
  #isCompared = false;
  #nextAt = Number.NEGATIVE_INFINITY;
  #advancedAt = performance.now();
  #milestoneAt = performance.now();
  #failure: string | undefined;
  /** The signatures that were verified in vain since the last head, or for a part of the way. */
  #uncounted = 0;
  /** The verification that was given up for the next one. */
  #givenUp: Verification | undefined;
  readonly #closing = new AbortController();
  #fork: { readonly seqno: number; readonly reason: string } | undefined;
  readonly #record: SignedForkRecord;
  /** The trusted block that was kept last. */
  #kept: BlockId;
  /** Whether servers refused links from the first trusted block, before any gave some. */
  #isRefused = false;
  #remindAt = Number.NEGATIVE_INFINITY;

  constructor(context: SignedHeadContext) {
    this.#context = context;
    this.#refused = new RefusedForks(context, this.#accepted);
    this.#candidates = new Candidates(context, this.#accepted);
    this.#first = new FirstHead(context.servers, this.#candidates.reports, this.#refused, this.#closing.signal);
    this.#trusted = context.trusted;
    this.#kept = context.trusted;
    this.#record = new SignedForkRecord(context.forks, (fork) => this.#fork ?? this.#stop(fork));
    this.#timer = setInterval(() => void this.#review(), REVIEW_INTERVAL);
    void this.#review();
  }

  get head(): LiteHead | undefined {
    return this.#fork ? undefined : this.#accepted.last;
  }

  /** The newest key block that other clients may verify from: before, it may be of one of two signed chains. */
  get trusted(): BlockId {
    return this.#kept;
  }

  get forkedAt(): number | undefined {
    return this.#fork?.seqno;
  }

  get problem(): string | undefined {
    if (this.#fork) return [this.#fork.reason, this.#record.problem].filter((part) => part !== undefined).join("; ");
    const { last } = this.#accepted;
    const reason = this.#failure === undefined ? "" : `: ${this.#failure}`;
    const ready = this.#context.servers.filter(({ state }) => state === "ready");
    const { headFrom } = this.#context;
    if (headFrom) {
      const isCurrent = headFrom.state === "ready" && headFrom.block?.seqno === last?.block.seqno;
      if (isCurrent || performance.now() - (last ? this.#advancedAt : this.#startedAt) < GRACE) return undefined;
      const cause = headFrom.state === "ready" ? reason : `: ${headFrom.status.reason ?? headFrom.state}`;
      return `no newer block of lite server ${headFrom.name} becomes the head${cause}`;
    }
    if (!last) {
      if (performance.now() - this.#startedAt < GRACE || ready.length === 0) return undefined;
      const towards = this.#target ? `, towards block ${this.#target.seqno}` : "; no lite server has a newer block";
      const cause = this.#record.isRead ? reason : `: ${this.#record.problem}`;
      return `no block is verified yet: signatures are verified up to block ${this.#trusted.seqno}${towards}${cause}${this.#anchorAdvice}`;
    }
    const isAhead = ready.some(({ block }) => (block?.seqno ?? 0) > last.block.seqno);
    if (!isAhead || performance.now() - this.#advancedAt < GRACE) return undefined;
    return `no block after block ${last.block.seqno} is verified${reason}`;
  }

  /** An anchor of a chain that is gone looks as if all servers failed. */
  get #anchorAdvice(): string {
    const { anchorFile, trusted } = this.#context;
    const isUnknown = isSameBlock(this.#trusted, trusted) && (this.#isRefused || this.#target === undefined);
    if (anchorFile === undefined || !isUnknown) return "";
    return `; if this goes on, block ${trusted.seqno} of the anchor ${anchorFile} may not be in the chain of the servers: compare it with a source that you trust, and remove the file to verify from the init_block again`;
  }

  get provers(): readonly string[] {
    return this.#candidates.provers;
  }

  isReportedBy(server: Server): boolean {
    const { head } = this;
    return head !== undefined && this.#candidates.isReportedBy(server, head.block);
  }

  watch(onHead: (head: LiteHead) => void): () => void {
    this.#watchers.add(onHead);
    return () => this.#watchers.delete(onHead);
  }

  close(): void {
    clearInterval(this.#timer);
    const closed = new LiteError("unavailable", "the client is closed");
    this.#closing.abort(closed);
    for (const { end } of this.#running) end.abort(closed);
    this.#watchers.clear();
  }

  note(server: Server, block: BlockId): void {
    if (this.#candidates.note(server, block)) this.#advance();
  }

  async #review(): Promise<void> {
    this.#advance();
    const { problem } = this;
    const { headFrom, onEvent } = this.#context;
    if ((problem !== undefined || headFrom) && performance.now() >= this.#remindAt) {
      this.#remindAt = performance.now() + REMINDER;
      if (problem !== undefined) onEvent({ type: "unverified", reason: problem });
      if (headFrom) onEvent({ type: "unsigned", server: headFrom.name });
    }
    await this.#record.update();
  }

  /** Begins verifications, if it is time to. */
  #advance(): void {
    for (const verification of this.#running) this.#endIfSlow(verification);
    if (this.#fork || this.#closing.signal.aborted || !this.#record.isRead) return;
    while (this.#mayBegin()) {
      const candidate = this.#candidates.next(this.#running, this.#trusted, this.#givenUp);
      this.#givenUp = undefined;
      if (!candidate) return;
      void this.#verify(candidate);
    }
  }

  #mayBegin(): boolean {
    if (this.#accepted.last) return this.#running.size === 0 && performance.now() >= this.#nextAt;
    return !this.#isProved && this.#first.mayBegin([...this.#running]);
  }

  async #verify({ server, block }: Candidate): Promise<void> {
    const startedAt = performance.now();
    const verification: Verification = {
      ...{ server, startedAt, progressAt: startedAt },
      ...{ from: this.#trusted.seqno, at: this.#trusted.seqno, signatures: 0 },
      end: new AbortController(),
    };
    this.#running.add(verification);
    this.#nextAt = startedAt + VERIFY_INTERVAL;
    try {
      const { last } = this.#accepted;
      if (!last || block.seqno > last.block.seqno) await this.#follow(verification, block, last);
      else await this.#compare(verification, block, last);
      this.#candidates.succeed(server);
    } catch (error) {
      if (verification.end.signal.reason !== superseded) this.#fail(verification, block, error);
    } finally {
      this.#running.delete(verification);
    }
    this.#advance();
  }

  /** Gives a verification up if another server may be faster. */
  #endIfSlow(verification: Verification): void {
    const other = this.#candidates.next(this.#running, this.#trusted, verification);
    if (!other) return;
    verification.end.abort(
      new LiteError("timeout", `its proof takes longer than ${SLOW_AFTER} ms, so that of ${other.server.name} comes first`),
    );
  }

  /** Ends other verifications before the first head. Their servers have not failed. */
  #supersede(verification: Verification, isOver: (other: Verification) => boolean = () => true): void {
    for (const other of this.#running) {
      if (other === verification || !isOver(other)) continue;
      this.#uncounted += other.signatures;
      other.end.abort(superseded);
    }
  }

  #fail(verification: Verification, block: BlockId, error: unknown): void {
    const { server } = verification;
    const reason = error instanceof Error ? error.message : String(error);
    this.#failure = reason.startsWith(server.name) ? reason : `${server.name}: ${reason}`;
    const isGivenUp = verification.end.signal.aborted;
    // Another error than that a server does not answer.
    if (error instanceof LiteError && error.code !== undefined && verification.signatures === 0) this.#isRefused = true;
    this.#uncounted += verification.signatures;
    this.#givenUp = isGivenUp ? verification : undefined;
    const isRepeated = this.#candidates.fail(verification);
    // The proof of another server may be right, or faster.
    if (server.state === "quarantined" || isGivenUp) this.#nextAt = Number.NEGATIVE_INFINITY;
    else if (isRepeated && !isSameBlock(this.#trusted, this.#context.trusted)) {
      void this.#refused.review(server, block, this.#closing.signal);
    }
  }

  async #follow(verification: Verification, block: BlockId, former: LiteHead | undefined): Promise<void> {
    const { server, end } = verification;
    if (this.#context.headFrom) return this.#believe(server, block, former, end.signal);
    this.#target = block;
    const onProgress = (progress: VerifiedBlockProof): void => {
      if (end.signal.aborted) return;
      // Others without an answer would verify the same links.
      if (!former && verification.signatures === 0) this.#supersede(verification, ({ signatures }) => signatures === 0);
      verification.at = progress.block.seqno;
      verification.signatures = progress.signatures;
      verification.progressAt = performance.now();
      if (!former) this.#report(progress);
    };
    const verified = await this.#context.prove(server, this.#trusted, block, onProgress, end.signal);
    // Others may begin: what is left to verify is one answer.
    verification.progressAt = Number.NEGATIVE_INFINITY;
    const proof = await this.#context.read(block, former?.block.seqno, server, end.signal);
    if (former && !isSameBlock(ancestorOf(proof), former.block)) return this.#findFork(former.block, block, server);
    if (!former) {
      end.signal.throwIfAborted();
      this.#isProved = true;
      this.#supersede(verification);
      const found = await this.#first.contradiction(server, block);
      if (found) this.#findFork(...found);
      if (this.#fork || this.#closing.signal.aborted) return;
    }
    const { head } = proof;
    this.#trust(verified.keyBlock);
    this.#accept(head);
    if (!former) void this.#compareLate(server, block);
    const signatures = this.#uncounted + verified.signatures;
    this.#uncounted = 0;
    this.#context.onEvent({ type: "verified", seqno: block.seqno, blockTime: head.time, signatures, isFirst: !former });
    for (const onHead of this.#watchers) onHead(head);
  }

  #accept(head: LiteHead): void {
    this.#accepted.add(head);
    this.#candidates.markUnverified();
    this.#advancedAt = performance.now();
    this.#failure = undefined;
  }

  /** Takes the block of the only server that decides, if it descends from the last head, or from the block that the client trusts. */
  async #believe(server: Server, block: BlockId, former: LiteHead | undefined, signal: AbortSignal): Promise<void> {
    const before = former?.block ?? this.#trusted;
    // Nodes do not look up the zero state, which the server has named when it connected.
    const asked = before.seqno === 0 ? undefined : before.seqno;
    const { read } = this.#context;
    const proof = await read(block, asked, server, signal).catch(() => {
      signal.throwIfAborted();
      // It may not keep the block before any more. The state of its own block proves that of any server.
      return read(block, asked, undefined, signal);
    });
    if (asked !== undefined && !isSameBlock(ancestorOf(proof), before))
      throw new LiteError("proof", `its block ${block.seqno} does not descend from block ${before.seqno}`);
    this.#accept(proof.head);
    for (const onHead of this.#watchers) onHead(proof.head);
  }

  /** What is verified on the way to the first head counts at once, but is not kept: it may be of one of two signed chains. */
  #report({ keyBlock, signatures }: VerifiedBlockProof): void {
    const now = performance.now();
    const isMilestone = now - this.#milestoneAt > MILESTONE;
    if (isMilestone) this.#milestoneAt = now;
    this.#trust(keyBlock);
    const target = this.#target?.seqno ?? 0;
    const all = this.#uncounted + signatures;
    this.#context.onEvent({ type: "sync", seqno: this.#trusted.seqno, target, signatures: all, isMilestone });
  }

  #trust(keyBlock: BlockId | undefined): void {
    if (keyBlock && keyBlock.seqno > this.#trusted.seqno) this.#trusted = keyBlock;
    if (!this.#isCompared || isSameBlock(this.#kept, this.#trusted)) return;
    this.#kept = this.#trusted;
    this.#context.keep(this.#trusted);
  }

  /** Compares the first head with chains whose proofs take longer. Until then no anchor is kept: the next start compares again. */
  async #compareLate(server: Server, block: BlockId): Promise<void> {
    const found = await this.#first.lateContradiction(server, block);
    if (this.#fork || this.#closing.signal.aborted) return;
    if (found) return this.#findFork(...found);
    this.#isCompared = true;
    this.#trust(undefined);
  }

  /** A block that is not above the head: in its history, or of another chain. */
  async #compare({ server, end }: Verification, block: BlockId, last: LiteHead): Promise<void> {
    const known = await verifiedBlock(block.seqno, last.block, this.#accepted, this.#context.read, end.signal);
    if (isSameBlock(known, block)) {
      this.#candidates.reportsOf(server).compared = block;
      return;
    }
    await this.#context.prove(server, this.#trusted, block, () => {}, end.signal);
    this.#findFork(known, block, server);
  }

  #findFork(known: BlockId, other: BlockId, server: Server): void {
    const fork = { seqno: Math.min(known.seqno, other.seqno), blocks: [known, other], server: server.name } as const;
    this.#stop(fork);
    this.#record.keep(fork);
  }

  /** Validators have signed two chains. */
  #stop(fork: SignedFork): void {
    const { seqno, blocks, server } = fork;
    const [known, other] = blocks;
    const chains = `block ${other.seqno} of server ${server} does not continue the chain of block ${known.seqno}`;
    const advice = `when you know which chain is right, take the servers of the other one out of the file, ${this.#record.remedy}`;
    const reason = `validators have signed two chains: ${chains}; nothing is read from block ${seqno} on; ${advice}`;
    this.#fork = { seqno, reason };
    for (const { end } of this.#running) end.abort(superseded);
    this.#context.onEvent({ type: "signed-fork", ...fork });
  }
}
