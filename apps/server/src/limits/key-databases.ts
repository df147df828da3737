/** The databases that API keys are read from: the primary, and the replicas while it is away. */
import { setImmediate as afterInput, setTimeout as delay } from "node:timers/promises";
import type { ApiKeyTable } from "@chain-query/postgres-store";

/** The keys in a database, for reading. */
export type KeyTable = Pick<ApiKeyTable, "find" | "revokedWithin">;

/** A database with keys. */
export interface KeyDatabase {
  readonly table: KeyTable & Pick<ApiKeyTable, "reopen" | "close">;
  /** Whether it can be read, and is two seconds behind the primary at most. */
  readonly isInService: () => boolean;
}

/** Milliseconds that a read may take. */
const readTimeout = 1_000;
/** Milliseconds between two questions whether a database answers again. */
const probeInterval = 200;

/** Reads from the first database that can be read. */
export class KeyDatabases {
  readonly #databases: readonly CheckedTable[];

  /** @param databases - The primary first, which is read from as well if no database is in service. */
  constructor(databases: readonly KeyDatabase[]) {
    this.#databases = databases.map((database) => new CheckedTable(database));
  }

  /** Rejects with the error of the first database. */
  async read<Value>(read: (table: KeyTable) => Promise<Value>): Promise<Value> {
    const inService = this.#databases.filter(({ isInService }) => isInService);
    let failure: unknown;
    for (const database of inService.length > 0 ? inService : this.#databases.slice(0, 1)) {
      try {
        return await database.read(read);
      } catch (error) {
        failure ??= error;
      }
    }
    throw failure;
  }

  async close(): Promise<void> {
    await Promise.all(this.#databases.map((database) => database.close()));
  }
}

/** A table whose connection is made anew when it does not answer. Until it does, reads fail at once. */
class CheckedTable {
  readonly #database: KeyDatabase;
  /** Of `performance.now()`. */
  #heardAt = 0;
  #isSilent = false;
  #isClosed = false;

  constructor(database: KeyDatabase) {
    this.#database = database;
  }

  get isInService(): boolean {
    return this.#database.isInService();
  }

  async read<Value>(read: (table: KeyTable) => Promise<Value>): Promise<Value> {
    if (this.#isSilent) throw new Error("PostgreSQL has not answered an earlier read");
    const sentAt = performance.now();
    return await this.#inTime(read(this.#database.table), () => {
      if (this.#heardAt < sentAt && !this.#isSilent) void this.#untilAnswer();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#database.table.close();
  }

  async #inTime<Value>(reading: Promise<Value>, onLate: () => void): Promise<Value> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    let [isSettled, isLate] = [false, false];
    const timer = setTimeout(async () => {
      // After a long turn of the event loop, the answer may have arrived that is not read yet.
      await afterInput();
      if (isSettled) return;
      isLate = true;
      onLate();
      reject(new Error(`PostgreSQL: no answer in ${readTimeout} ms`));
    }, readTimeout);
    try {
      return await Promise.race([reading, late]);
    } finally {
      isSettled = true;
      if (!isLate) this.#heardAt = performance.now();
      clearTimeout(timer);
    }
  }

  /** Asks until there is an answer: one question at a time, since those that wait take memory. */
  async #untilAnswer(): Promise<void> {
    const { table } = this.#database;
    let probe: Promise<unknown> | undefined;
    this.#isSilent = true;
    while (this.#isSilent && !this.#isClosed) {
      if (table.reopen()) probe = undefined;
      probe ??= table.revokedWithin(0).finally(() => {
        probe = undefined;
      });
      try {
        await this.#inTime(probe, () => {});
        this.#isSilent = false;
      } catch {
        await delay(probeInterval, undefined, { ref: false });
      }
    }
  }
}
