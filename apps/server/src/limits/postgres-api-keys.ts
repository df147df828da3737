/** API keys in PostgreSQL, for any number of instances. */
import { setWaitingFor } from "@chain-query/format/async";
import { type ApiKeyRow, type Databases, openApiKeys } from "@chain-query/postgres-store";
import { LRUCache } from "lru-cache";
import { HttpError, messageOf } from "../failure.ts";
import { type ApiKeyEditor, type ApiKeyFinder, type ApiKeyRecord, isSameSecret, makeApiKey, readApiKey } from "./api-keys.ts";

interface PostgresKeysOptions {
  readonly databases: Pick<Databases, "readAny">;
  /** Called with the reason when keys cannot be read from PostgreSQL, and with undefined when they can again. */
  readonly onChange: (problem: string | undefined) => void;
}

interface KnownKey {
  readonly hash: Uint8Array;
  readonly record: ApiKeyRecord;
  /** The time when it was not revoked, of `performance.now()`. */
  readonly validAt: number;
}

const maxKnown = 20_000;
/** Milliseconds for which a key is not read again. With the time of a read, a revoked key is refused within five seconds. */
const maxAge = 3_000;
/** Milliseconds after which a key that was read may have been revoked for too long. */
const longestRead = 2_000;

const unavailable = new HttpError(503, "API keys cannot be checked now; try again", { headers: { "retry-after": "1" } });

/** Finds keys in PostgreSQL, and knows each for three seconds. */
export class PostgresApiKeys implements ApiKeyFinder {
  readonly #options: PostgresKeysOptions;
  readonly #known = new LRUCache<string, KnownKey>({ max: maxKnown });
  /** By id: requests with one key share a read. */
  readonly #reads = new Map<string, Promise<KnownKey | undefined>>();
  #problem: string | undefined;
  #isClosed = false;

  constructor(options: PostgresKeysOptions) {
    this.#options = options;
  }

  find(
    text: string,
    beforeRead: () => void,
    signal: AbortSignal,
  ): ApiKeyRecord | undefined | Promise<ApiKeyRecord | undefined> {
    const { id, hash } = readApiKey(text);
    if (id === undefined) return undefined;
    const known = this.#known.get(id);
    const isOwner = isSameSecret(hash, known?.hash);
    if (known !== undefined && performance.now() - known.validAt <= maxAge) return isOwner ? known.record : undefined;
    return this.#findStored(id, hash, isOwner ? undefined : beforeRead, signal);
  }

  close(): void {
    this.#isClosed = true;
  }

  /** @param beforeRead - Undefined for the owner of the key, who is not refused because others at the same address guess keys. */
  async #findStored(
    id: string,
    hash: Uint8Array,
    beforeRead: (() => void) | undefined,
    signal: AbortSignal,
  ): Promise<ApiKeyRecord | undefined> {
    beforeRead?.();
    setWaitingFor(signal, "the database of API keys");
    // Goes on if the caller is gone, so that a look-up of an unknown key is counted.
    const key = await this.#stored(id);
    return isSameSecret(hash, key?.hash) ? key?.record : undefined;
  }

  #stored(id: string): Promise<KnownKey | undefined> {
    const running = this.#reads.get(id);
    if (running !== undefined) return running;
    const read = this.#read(id).finally(() => this.#reads.delete(id));
    this.#reads.set(id, read);
    return read;
  }

  async #read(id: string): Promise<KnownKey | undefined> {
    let validAt = 0;
    const row = await this.#options.databases
      .readAny((reader) => {
        // Each database that is tried is read anew.
        validAt = performance.now();
        return reader.findKey(id);
      })
      .catch((error: unknown) => {
        this.#report(messageOf(error));
        throw unavailable;
      });
    const isLate = performance.now() - validAt > longestRead;
    this.#report(isLate ? `a read took more than ${longestRead / 1000} s` : undefined);
    if (isLate) throw unavailable;
    if (row === undefined) {
      this.#known.delete(id);
      return undefined;
    }
    const key = { hash: new Uint8Array(row.secretHash), record: recordOf(row), validAt };
    this.#known.set(id, key);
    return key;
  }

  #report(problem: string | undefined): void {
    if ((problem === undefined) === (this.#problem === undefined) || this.#isClosed) return;
    this.#problem = problem;
    this.#options.onChange(problem);
  }
}

/** Opens the keys for a command line. */
export function openPostgresApiKeys(url: string): Required<ApiKeyEditor> {
  const table = openApiKeys({ url });
  return {
    async add(owner, plan) {
      const { id, hash, text } = makeApiKey();
      const row = await table.add({ id, secretHash: hash, owner, ...plan });
      return { text, record: recordOf(row) };
    },
    revoke: (id) => table.revoke(id),
    list: async () => (await table.list()).map(recordOf),
    close: () => table.close(),
  };
}

function recordOf({ secretHash: _, ...record }: ApiKeyRow): ApiKeyRecord {
  return record;
}
