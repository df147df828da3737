/**
 * The head that responses are made as of: never older than a request, and never lower than what any process has responded with.
 *
 * Where the head of a request is read:
 *
 *   primary      Without a high-water mark: the primary's row is read for each request.
 *     → replicas   if the primary is unavailable: the newest head of the replicas in service.
 *   mark         With one: the head that all instances have responded with, and at most one that all databases in service have.
 *     → primary    if the mark cannot be read, or may have been lost, but not below the last mark that was read.
 *                  → mark when the row was written to it.
 *
 * The head that was served, checked by `polled`:
 *
 *   served       The database that decides has it.
 *     → lost       when it does not, as after a failover. Data found as of an older head is still served; the rest waits. → served.
 *   not ready    when it was lost for 30 s, when the mark was above all databases for 3 s, or when no database is in service.
 */
import {
  coalesced,
  type Databases,
  headPosition,
  type IndexHead,
  PostgresStoreError,
  seqnoAt,
} from "@chain-query/postgres-store";
import type { HighWaterMark } from "./high-water-mark.ts";
import type { NewestTips, Tips } from "./newest-tips.ts";

/** Milliseconds for which the databases may lack a block that was in a response, before the service is not ready. */
const lossLimit = 30_000;
/** Milliseconds for which the mark may be above all databases: an instance raises it to a block that a database has. */
const aheadLimit = 3_000;

/** Reads the head. */
export class ServedHead {
  readonly #databases: Databases;
  readonly #tips: NewestTips<IndexHead>;
  readonly #mark: HighWaterMark | undefined;
  /** A head that is not older than the call. @throws PostgresStoreError. */
  readonly read: () => Promise<Tips<IndexHead>>;
  #last: Tips<IndexHead> | undefined;
  /** Of `performance.now()`. */
  #lostSince: number | undefined;
  #aheadSince: number | undefined;

  /** @param mark - Of several instances. */
  constructor(databases: Databases, tips: NewestTips<IndexHead>, mark: HighWaterMark | undefined) {
    this.#databases = databases;
    this.#tips = tips;
    this.#mark = mark;
    this.read = coalesced(() => this.#newest());
  }

  /** A head that the databases have, without a read. Undefined before the first. */
  get known(): IndexHead | undefined {
    return this.#lostSince === undefined ? this.#last?.tip : this.#databases.deciding?.connection.head;
  }

  /** Why the service is not ready; undefined if it is. */
  get problem(): string | undefined {
    if (this.#databases.inService.length === 0) return "no database of this service can be read";
    const now = performance.now();
    if (now - (this.#lostSince ?? now) > lossLimit) return "the databases lack blocks that this service has answered with";
    if (now - (this.#aheadSince ?? now) <= aheadLimit) return undefined;
    return `Redis has a newer head than the databases; if they lost no block: redis-cli DEL '${this.#mark?.name}'`;
  }

  /** A problem of a service that is ready. */
  get warning(): string | undefined {
    const { primary, inService } = this.#databases;
    if (primary.connection.isInService || inService.length === 0) return undefined;
    return "the primary database cannot be read; replicas answer with the newest block that they have";
  }

  async #newest(): Promise<Tips<IndexHead>> {
    const rowGeneration = this.#mark?.generation;
    const marked = this.#mark?.read();
    // An instance that starts without the primary and without a mark may show an older head than other instances.
    if (marked === undefined) {
      const served = await this.#serve(await this.#databases.newestHead(), rowGeneration);
      const seen = this.#mark?.seen ?? -1;
      // A replica may lack a block that Redis knows or knew of, and so may a primary after a failover.
      return headPosition(served.tip) >= seen ? served : this.#serve(await this.#having(seen));
    }
    // The mark has it, unless it could not be raised.
    const shared = this.#tips.newest(undefined);
    if (shared !== undefined && headPosition(shared.tip) >= marked) {
      await this.#mark?.raise(headPosition(shared.tip));
      return this.#follow(shared);
    }
    // Another instance has responded with a newer block.
    return this.#serve(await this.#having(marked));
  }

  /** Called when a database was polled. */
  async polled(): Promise<void> {
    await this.#mark?.refresh();
    const newest = await this.#publish(this.#mark?.read());
    if (newest !== undefined) this.#watch(headPosition(newest.tip));
  }

  /** Serves the primary's block; with a mark, as soon as all databases in service have it. Returns the newest head that is served. */
  async #publish(marked: number | undefined): Promise<Tips<IndexHead> | undefined> {
    const { connection } = this.#databases.primary;
    if (!connection.isInService || connection.head === undefined) return this.#tips.newest(undefined);
    // A row that is read now is not lower than any head in a response, and becomes the mark.
    if (this.#mark !== undefined && marked === undefined) return this.read().catch(() => this.#tips.newest(undefined));
    return this.#serve(this.#published(connection.head));
  }

  /** Compares the head that was served with those of the databases. */
  #watch(served: number): void {
    const { primary, replicas } = this.#databases;
    const known = Math.max(served, ...[primary, ...replicas].map(({ connection }) => connection.position));
    const now = performance.now();
    this.#lostSince = (this.#databases.deciding?.connection.position ?? -1) < served ? (this.#lostSince ?? now) : undefined;
    this.#aheadSince = known < (this.#mark?.seen ?? -1) ? (this.#aheadSince ?? now) : undefined;
  }

  /** The head to serve next. Without a mark, instances have only the primary's in common. */
  #published(head: IndexHead): IndexHead {
    return this.#mark === undefined ? head : this.#common(head);
  }

  /** The lowest head of the databases that is not older than a block. */
  #knownFrom(position: number): IndexHead | undefined {
    return this.#databases.inService
      .flatMap(({ connection: { head } }) => head ?? [])
      .filter((head) => headPosition(head) >= position)
      .toSorted((one, other) => headPosition(one) - headPosition(other))[0];
  }

  /** A head that is not older than a block. @throws PostgresStoreError of kind "behind" if no database has it. */
  async #having(position: number): Promise<IndexHead> {
    const known = this.#knownFrom(position);
    if (known !== undefined) return known;
    const seqno = seqnoAt(position);
    return this.#databases.read(seqno, async (reader) => {
      const head = await reader.head();
      if (headPosition(head) >= position) return head;
      throw new PostgresStoreError("behind", `no database has masterchain block ${seqno} yet`);
    });
  }

  /** Records a head before any response is made as of it: first for other instances, then for requests. */
  async #serve(head: IndexHead, rowGeneration?: number): Promise<Tips<IndexHead>> {
    const consensus = this.#mark === undefined ? this.#common(head) : head;
    if (this.#mark !== undefined) {
      const shared = this.#tips.newest(undefined)?.tip ?? head;
      await this.#mark.raise(Math.max(headPosition(head), headPosition(shared)), rowGeneration);
    }
    const newest = this.#tips.newest({ tip: head, consensus });
    if (newest === undefined) throw new PostgresStoreError("unreachable", "no head is known");
    return this.#follow(newest);
  }

  /** It may be the first head after a rewind. */
  #follow(newest: Tips<IndexHead>): Tips<IndexHead> {
    this.#databases.follow(newest.tip);
    this.#last = newest;
    return newest;
  }

  /** The newest head that all databases in service have. A replica that lacks a rewind is not read from. */
  #common(head: IndexHead): IndexHead {
    const known = this.#databases.replicas.flatMap(({ connection }) => (connection.isInService && connection.head) || []);
    return known
      .filter(({ rewinds }) => rewinds === head.rewinds)
      .reduce((lowest, one) => (one.block.id.seqno < lowest.block.id.seqno ? one : lowest), head);
  }
}
