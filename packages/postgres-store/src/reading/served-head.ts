/**
 * The head that responses are made as of: never older than a request, and never lower than one that this instance has responded with.
 *
 * Where the head of a request is read:
 *
 *   primary      Its row is read for each request.
 *     → replicas   if the primary is unavailable: the newest head of the replicas in service.
 *
 * The head that was served, checked by `polled`:
 *
 *   served       The database that decides has it.
 *     → lost       when it does not, as after a failover. Data found as of an older head is still served; the rest waits. → served.
 *   not ready    when it was lost for 30 s, or when no database is in service.
 */
import { coalesced } from "@chain-query/format/async";
import type { IndexHead } from "../types.ts";
import type { Databases } from "./databases.ts";

/** Milliseconds for which the databases may lack a block that was in a response, before the service is not ready. */
const lossLimit = 30_000;

/** Reads the head. */
export class ServedHead {
  readonly #databases: Databases;
  /** A head that is not older than the call. @throws PostgresStoreError. */
  readonly read: () => Promise<IndexHead>;
  /** The newest head that all databases in service have. @throws PostgresStoreError. */
  readonly consensus: () => Promise<IndexHead>;
  #last: IndexHead | undefined;
  #lastConsensus: IndexHead | undefined;
  /** Of `performance.now()`. */
  #lostSince: number | undefined;

  constructor(databases: Databases) {
    this.#databases = databases;
    this.read = coalesced(async () => this.#serve(await databases.newestHead()));
    // Read from the databases, not from their last polls, which differ between instances.
    this.consensus = coalesced(async () => {
      this.#lastConsensus = newer(this.#lastConsensus, await databases.commonHead());
      return this.#lastConsensus;
    });
  }

  /** A head that the databases have, without a read. Undefined before the first. */
  get known(): IndexHead | undefined {
    return this.#lostSince === undefined ? this.#last : this.#databases.deciding?.connection.head;
  }

  /** Why the service is not ready; undefined if it is. */
  get problem(): string | undefined {
    if (this.#databases.inService.length === 0) return "no database of this service can be read";
    if (this.#lostSince === undefined || performance.now() - this.#lostSince <= lossLimit) return undefined;
    return "the databases lack blocks that this service has answered with";
  }

  /** A problem of a service that is ready. */
  get warning(): string | undefined {
    const { primary, inService } = this.#databases;
    if (primary.connection.isInService || inService.length === 0) return undefined;
    return "the primary database cannot be read; replicas answer with the newest block that they have";
  }

  /** Called when a database was polled: serves the primary's block, and compares the head that was served with those of the databases. */
  polled(): void {
    const { primary, deciding } = this.#databases;
    const { isInService, head } = primary.connection;
    const newest = isInService && head !== undefined ? this.#serve(head) : this.#last;
    if (newest === undefined) return;
    const isLost = (deciding?.connection.seqno ?? -1) < newest.block.id.seqno;
    this.#lostSince = isLost ? (this.#lostSince ?? performance.now()) : undefined;
  }

  /** Records a head before any response is made as of it. */
  #serve(head: IndexHead): IndexHead {
    this.#last = newer(this.#last, head);
    return this.#last;
  }
}

/** The newer one of two heads, and the known one while the other is not newer. */
export function newer(known: IndexHead | undefined, other: IndexHead): IndexHead {
  return known === undefined || other.block.id.seqno > known.block.id.seqno ? other : known;
}
