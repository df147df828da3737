/** The head that answers are made as of: never older than a request, and never lower than what any process has answered with. */
import { coalesced, type IndexHead, PostgresStoreError } from "@chain-query/postgres-store";
import { SourceError } from "../chain-source.ts";
import type { HeadRegister } from "./head-register.ts";
import { inTime } from "./in-time.ts";
import type { Heads, NewestHeads } from "./newest-heads.ts";
import { type Database, type Databases, isAway } from "./postgres-databases.ts";

/** Milliseconds for which the databases may lack a block that was answered with, before the service is not ready. */
const lossLimit = 30_000;
/** Milliseconds for which the register may have a block that no database has: an instance raises it to what a database has. */
const aheadLimit = 3_000;

/** Milliseconds for a read of the head, all that it tries included. Callers that arrive meanwhile wait for the next one. */
const readLimit = 1_000;
/** Milliseconds that a database has to answer if others can be asked, and a primary that did not answer lately. */
const databaseLimit = 400;
const silentPrimaryLimit = 100;

/** Reads the head. */
export class ServedHead {
  readonly #databases: Databases;
  readonly #heads: NewestHeads<IndexHead>;
  readonly #register: HeadRegister | undefined;
  /** A head that is not older than the call. @throws PostgresStoreError or SourceError. */
  readonly read: () => Promise<Heads<IndexHead>>;
  #last: Heads<IndexHead> | undefined;
  /** Of `performance.now()`. */
  #lostSince: number | undefined;
  #aheadSince: number | undefined;

  /** @param register - Of several instances; without one, the primary's row is read for each answer. */
  constructor(databases: Databases, heads: NewestHeads<IndexHead>, register: HeadRegister | undefined) {
    this.#databases = databases;
    this.#heads = heads;
    this.#register = register;
    this.read = coalesced(() => inTime(readLimit, this.#newest()));
  }

  /** A head that the databases have, without asking them: what was found as of it never changes. Undefined before the first. */
  get known(): IndexHead | undefined {
    return this.#lostSince === undefined ? this.#last?.head : this.#deciding?.head;
  }

  /** Why the service is not ready; undefined if it is. */
  get problem(): string | undefined {
    const { primary, replicas } = this.#databases;
    if (![primary, ...replicas].some(({ isInService }) => isInService)) return "no database of this service can be read";
    const now = performance.now();
    if (now - (this.#lostSince ?? now) > lossLimit) return "the databases lack blocks that this service has answered with";
    if (now - (this.#aheadSince ?? now) <= aheadLimit) return undefined;
    return `Redis has a newer head than the databases; if they lost no block: redis-cli DEL '${this.#register?.name}'`;
  }

  /** What is wrong although the service is ready. */
  get warning(): string | undefined {
    const { primary, replicas } = this.#databases;
    if (primary.isInService || !replicas.some(({ isInService }) => isInService)) return undefined;
    return "the primary database cannot be read; replicas answer with the newest block that they have";
  }

  async #newest(): Promise<Heads<IndexHead>> {
    const rowEra = this.#register?.era;
    const registered = await this.#register?.read();
    if (registered === undefined) return this.#serve(await this.#newestOfPrimary(), rowEra);
    // Also what other workers have answered with. The register has it, unless theirs could not be raised.
    const shared = this.#heads.newest(undefined);
    if (shared !== undefined && shared.head.block.id.seqno >= registered) {
      await this.#register?.raise(shared.head.block.id.seqno);
      this.#last = shared;
      return shared;
    }
    // Another instance has answered with a newer block.
    return this.#serve(this.#knownFrom(registered) ?? (await this.#atLeast(registered)));
  }

  /** Called when a database was polled. */
  async polled(): Promise<void> {
    await this.#register?.refresh();
    const registered = await this.#register?.read();
    const newest = await this.#publish(registered);
    if (newest !== undefined) this.#watch(newest.head.block.id.seqno, registered);
  }

  /** Serves the primary's block; with a register, as soon as all databases in service have it. Returns the newest head that is served. */
  async #publish(registered: number | undefined): Promise<Heads<IndexHead> | undefined> {
    const { primary } = this.#databases;
    if (!primary.isInService || primary.head === undefined) return this.#heads.newest(undefined);
    // What the register has next is at least what any instance has answered with: a row that is read now.
    if (this.#register !== undefined && registered === undefined) return this.read().catch(() => this.#heads.newest(undefined));
    return this.#serve(this.#published(primary.head));
  }

  /** Compares what was answered with to what the databases have. */
  #watch(served: number, registered: number | undefined): void {
    const { primary, replicas } = this.#databases;
    const known = Math.max(served, primary.seqno, ...replicas.map(({ seqno }) => seqno));
    const now = performance.now();
    this.#lostSince = (this.#deciding?.seqno ?? -1) < served ? (this.#lostSince ?? now) : undefined;
    this.#aheadSince = known < (registered ?? -1) ? (this.#aheadSince ?? now) : undefined;
  }

  /** The primary, or without it the newest replica. */
  get #deciding(): Database | undefined {
    const { primary, replicas } = this.#databases;
    if (primary.isInService) return primary;
    return replicas.filter(({ isInService }) => isInService).toSorted((one, other) => other.seqno - one.seqno)[0];
  }

  /**
   * The primary's head, or without the primary the newest one of the replicas. An instance that starts then, without a register, may show
   * an older head than other instances.
   */
  async #newestOfPrimary(): Promise<IndexHead> {
    const { primary, replicas } = this.#databases;
    const usable = replicas.filter(({ isInService }) => isInService);
    if (usable.length === 0) return primary.readHead();
    try {
      return await inTime(primary.isInService ? databaseLimit : silentPrimaryLimit, primary.readHead());
    } catch (error) {
      // Without its primary, a chain does not grow; what replicas have can be read.
      if (!isAway(error)) throw error;
      const reads = await Promise.allSettled(usable.map((replica) => inTime(databaseLimit, replica.readHead())));
      const heads = reads.flatMap((read) => (read.status === "fulfilled" ? [read.value] : []));
      const [newest] = heads.toSorted((one, other) => other.block.id.seqno - one.block.id.seqno);
      if (newest === undefined) throw error;
      return newest;
    }
  }

  /** The head to serve next. Without a register, instances have no other one in common than the primary's. */
  #published(head: IndexHead): IndexHead {
    return this.#register === undefined ? head : this.#common(head);
  }

  /** The lowest head of the databases that is not older than a block. */
  #knownFrom(seqno: number): IndexHead | undefined {
    const { primary, replicas } = this.#databases;
    return [primary, ...replicas]
      .flatMap((one) => (one.isInService && one.seqno >= seqno && one.head !== undefined ? [one.head] : []))
      .toSorted((one, other) => one.block.id.seqno - other.block.id.seqno)[0];
  }

  async #atLeast(seqno: number): Promise<IndexHead> {
    return this.#databases.read(seqno, async (reader) => {
      const head = await reader.head();
      if (head.block.id.seqno >= seqno) return head;
      throw new SourceError("slow", "the databases of this service do not have the newest block yet");
    });
  }

  /** Records a head before anything is answered as of it: first for other instances, then for requests and other workers of this one. */
  async #serve(head: IndexHead, rowEra?: number): Promise<Heads<IndexHead>> {
    const consensus = this.#register === undefined ? this.#common(head) : head;
    if (this.#register !== undefined) {
      const shared = this.#heads.newest(undefined)?.head ?? head;
      await this.#register.raise(Math.max(head.block.id.seqno, shared.block.id.seqno), rowEra);
    }
    const newest = this.#heads.newest({ head, consensus });
    if (newest === undefined) throw new PostgresStoreError("unreachable", "no head is known");
    this.#last = newest;
    return newest;
  }

  /** The newest head that all databases in service have. */
  #common(head: IndexHead): IndexHead {
    const known = this.#databases.replicas.flatMap((one) => (one.isInService && one.head !== undefined ? [one.head] : []));
    return known.reduce((lowest, one) => (one.block.id.seqno < lowest.block.id.seqno ? one : lowest), head);
  }
}
