/** The databases of a process: the primary, which decides on the head, and replicas, which are read from as soon as they have the head. */

import { isKind } from "../database/store-error.ts";
import type { DatabaseEvents, DatabaseStatus, IndexHead, PostgresConnection, PostgresReader } from "../types.ts";
import { Connection } from "./connection.ts";
import { readerOf } from "./reader.ts";

/** How to connect to the databases of one chain. */
export interface DatabaseSet {
  readonly primary: PostgresConnection;
  readonly replicas: readonly PostgresConnection[];
  /** Root hash of the masterchain's zero state that all databases must have; default: each database's own, from its first connection. */
  readonly zeroState?: Uint8Array | undefined;
}

/** A database that is read from. */
export interface ReadDatabase {
  readonly connection: Connection;
  readonly reader: PostgresReader;
}

/** Reads from a database that was chosen. */
export type DatabaseRead<Result> = (reader: PostgresReader, database: string) => Promise<Result>;

/** Milliseconds between two checks of a database. */
const CHECK_INTERVAL = 100;

/** Kinds of errors after which another database may have the data. */
const UNAVAILABLE = ["unreachable", "refused", "slow"] as const;

/**
 * Chooses the database of each read.
 *
 * @example
 * const databases = new Databases({ primary: { url }, replicas: [] });
 * await databases.start(async () => {});
 * const { block } = await databases.primary.reader.head();
 */
export class Databases {
  readonly primary: ReadDatabase;
  readonly replicas: readonly ReadDatabase[];
  /** The primary, then the replicas. */
  readonly all: readonly ReadDatabase[];
  readonly #timers = new Map<ReadDatabase, NodeJS.Timeout>();
  #next = 0;
  #isClosed = false;

  /** @throws RangeError if a URL is wrong. */
  constructor({ primary, replicas, zeroState }: DatabaseSet, events: DatabaseEvents = {}) {
    const open = (name: string, options: PostgresConnection): ReadDatabase => {
      const connection = new Connection(name, options, zeroState, events);
      return { connection, reader: readerOf(connection) };
    };
    this.primary = open("primary", primary);
    this.replicas = replicas.map((one, index) => open(`replica ${index + 1}`, one));
    this.all = [this.primary, ...this.replicas];
  }

  get status(): readonly DatabaseStatus[] {
    return this.all.map(({ connection }) => connection.status);
  }

  /** Those that can be read, the primary first. */
  get inService(): readonly ReadDatabase[] {
    return this.all.filter(({ connection }) => connection.isInService);
  }

  /** The database that decides on the head: the primary, or without it the newest replica. */
  get deciding(): ReadDatabase | undefined {
    const [first, ...others] = this.inService;
    if (first === this.primary || first === undefined) return first;
    return others.reduce((newest, one) => (one.connection.seqno > newest.connection.seqno ? one : newest), first);
  }

  /**
   * Checks each database from now on. Resolves after the first time.
   *
   * @param onChecked - Called after each check.
   */
  async start(onChecked: () => Promise<void>): Promise<void> {
    await Promise.all(this.all.map((one) => this.#check(one, onChecked)));
  }

  /**
   * Reads from a database that has a masterchain block: a replica in turn, or the primary without replicas, and if these fail.
   *
   * @throws PostgresStoreError of kind "behind" if none has it.
   */
  async read<Result>(at: number, read: DatabaseRead<Result>): Promise<Result> {
    const database = this.#withBlock(at) ?? (await this.#findBlock(at));
    try {
      return await read(database.reader, database.connection.name);
    } catch (error) {
      const isOfReplica = isKind(error, ...UNAVAILABLE, "behind", "other-chain");
      if (database === this.primary || !isOfReplica || this.primary.connection.seqno < at) throw error;
      return read(this.primary.reader, this.primary.connection.name);
    }
  }

  /** The primary's head, or without the primary the newest one of the replicas: without its primary, a chain does not grow. */
  async newestHead(): Promise<IndexHead> {
    try {
      return await this.primary.reader.head();
    } catch (error) {
      if (!isKind(error, ...UNAVAILABLE)) throw error;
      const replicas = this.inService.filter((one) => one !== this.primary);
      const newest = (await headsOf(replicas)).at(-1);
      if (newest === undefined) throw error;
      return newest;
    }
  }

  /** The newest head that all databases in service have; one that fails meanwhile is not counted. */
  async commonHead(): Promise<IndexHead> {
    const [oldest] = await headsOf(this.inService);
    return oldest ?? this.newestHead();
  }

  /** Reads from the first database in service, the primary first, or from the primary if none is. Rejects with the error of the first. */
  async readAny<Result>(read: DatabaseRead<Result>): Promise<Result> {
    const { inService } = this;
    let failure: unknown;
    for (const { reader, connection } of inService.length > 0 ? inService : [this.primary]) {
      try {
        return await read(reader, connection.name);
      } catch (error) {
        failure ??= error;
      }
    }
    throw failure;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.all(this.all.map(({ connection }) => connection.close()));
  }

  async #check(database: ReadDatabase, onChecked: () => Promise<void>): Promise<void> {
    await database.connection.check(this.primary.connection.seqno);
    if (this.#isClosed) return;
    await onChecked();
    if (this.#isClosed) return;
    const timer = setTimeout(() => void this.#check(database, onChecked), CHECK_INTERVAL);
    timer.unref();
    this.#timers.set(database, timer);
  }

  #withBlock(at: number): ReadDatabase | undefined {
    const { replicas, primary } = this;
    if (replicas.length === 0) return primary.connection.seqno >= at ? primary : undefined;
    const usable = replicas.filter(({ connection }) => connection.isInService && connection.seqno >= at);
    return usable[this.#next++ % Math.max(1, usable.length)];
  }

  /** Asks replicas that may have got the block since the last check, and then the primary. */
  async #findBlock(at: number): Promise<ReadDatabase> {
    const inService = this.replicas.filter(({ connection }) => connection.isInService);
    const asked = inService.map(async (replica) => {
      await replica.connection.readHead();
      if (replica.connection.seqno < at) throw new Error("behind");
      return replica;
    });
    const replica = await Promise.any(asked).catch(() => undefined);
    if (replica === undefined) await this.primary.connection.readHead();
    return replica ?? this.primary;
  }
}

/** The heads of databases, the oldest first, without those that cannot be read. */
async function headsOf(databases: readonly ReadDatabase[]): Promise<readonly IndexHead[]> {
  const reads = await Promise.allSettled(databases.map(({ reader }) => reader.head()));
  const heads = reads.flatMap((read) => (read.status === "fulfilled" ? [read.value] : []));
  return heads.toSorted((one, other) => one.block.id.seqno - other.block.id.seqno);
}
