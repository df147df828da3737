/** Sends the commands of one turn of the event loop in one write: the write costs more than the rest of a command. */
import type { Redis } from "ioredis";
import type { Breaker, CommandKind } from "./breaker.ts";

interface Turn {
  /** The names to read, each with its value. */
  readonly values: Map<string, Promise<string | null>>;
  /** The values in the order of the names. */
  readonly all: Promise<readonly (string | null)[]>;
}

/** The commands of one connection, behind its breaker. */
export class Turns {
  readonly #client: Redis;
  readonly #breaker: Breaker;
  #turn: Turn | undefined;

  constructor(client: Redis, breaker: Breaker) {
    this.#client = client;
    this.#breaker = breaker;
  }

  /** Sends a command at the end of this turn. */
  run<Value>(command: () => Promise<Value>, kind: CommandKind): Promise<Value> {
    if (this.#breaker.isReady) this.#turn ??= this.#begin();
    return this.#breaker.run(command, kind);
  }

  /** Reads a value. All reads of a turn are one command, with each name once; no value is older than the call. Null also if it is no text. */
  read(name: string): Promise<string | null> {
    if (!this.#breaker.isReady) return this.#breaker.refuse();
    this.#turn ??= this.#begin();
    const { values, all } = this.#turn;
    const known = values.get(name);
    if (known !== undefined) return known;
    const index = values.size;
    const value = all.then((found) => found[index] ?? null);
    values.set(name, value);
    return value;
  }

  #begin(): Turn {
    const values: Turn["values"] = new Map();
    const { stream } = this.#client;
    stream?.cork();
    const all = new Promise<readonly (string | null)[]>((resolve) => {
      setImmediate(() => {
        this.#turn = undefined;
        if (values.size > 0) resolve(this.#breaker.run(() => this.#client.mget([...values.keys()]), "read"));
        stream?.uncork();
      });
    });
    return { values, all };
  }
}
