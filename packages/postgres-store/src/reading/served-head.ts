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

/** The newest masterchain block of an index, and the newest one that all of its databases have. */
export interface Tips {
  readonly tip: IndexHead;
  readonly consensus: IndexHead;
}

/** Milliseconds for which the databases may lack a block that was in a response, before the service is not ready. */
const lossLimit = 30_000;

/** Reads the head. */
export class ServedHead {
  readonly #databases: Databases;
  /** A head that is not older than the call. @throws PostgresStoreError. */
  readonly read: () => Promise<Tips>;
  #last: Tips | undefined;
  /** Of `performance.now()`. */
  #lostSince: number | undefined;

  constructor(databases: Databases) {
    this.#databases = databases;
    this.read = coalesced(async () => this.#serve(await databases.newestHead()));
  }

  /** A head that the databases have, without a read. Undefined before the first. */
  get known(): IndexHead | undefined {
    return this.#lostSince === undefined ? this.#last?.tip : this.#databases.deciding?.connection.head;
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
    const isLost = (deciding?.connection.seqno ?? -1) < newest.tip.block.id.seqno;
    this.#lostSince = isLost ? (this.#lostSince ?? performance.now()) : undefined;
  }

  /** Records a head before any response is made as of it. */
  #serve(head: IndexHead): Tips {
    this.#last = newerTips(this.#last, { tip: head, consensus: this.#common(head) });
    return this.#last;
  }

  /** The newest head that all databases in service have. */
  #common(head: IndexHead): IndexHead {
    const known = this.#databases.replicas.flatMap(({ connection }) => (connection.isInService && connection.head) || []);
    return known.reduce((lowest, one) => (one.block.id.seqno < lowest.block.id.seqno ? one : lowest), head);
  }
}

/** The newer ones of two, and the same object while nothing is newer. */
export function newerTips(known: Tips | undefined, other: Tips): Tips {
  if (known === undefined) return other;
  const seqno = ({ block }: IndexHead): number => block.id.seqno;
  const tip = seqno(other.tip) > seqno(known.tip) ? other.tip : known.tip;
  const consensus = seqno(other.consensus) > seqno(known.consensus) ? other.consensus : known.consensus;
  return tip === known.tip && consensus === known.consensus ? known : { tip, consensus };
}
