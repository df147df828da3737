interface Entry<Value> {
  readonly value: Value;
  readonly size: number;
}

/** Keeps the values used last, up to a total size. */
export class ByteCache<Value> {
  readonly #limit: number;
  readonly #entries = new Map<string, Entry<Value>>();
  #size = 0;

  /** @param limit - Total of the sizes that are kept. A single value above it is not kept. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Total size of the values. */
  get size(): number {
    return this.#size;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    // The order of a Map is that of insertion: the first entry is the one not used for the longest time.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: Value, size: number): void {
    this.#delete(key);
    if (size > this.#limit) return;
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#limit) break;
      this.#delete(oldest);
    }
  }

  #delete(key: string): void {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }
}
