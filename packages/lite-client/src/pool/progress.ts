import type { LiteError } from "@chain-query/lite-protocol/error";
import { conclude, faultOf, GivenUpError } from "./fault.ts";
import type { Server } from "./server.ts";

/** Attempts at one server for one read. */
const ATTEMPTS = 2;
/** Milliseconds before servers are asked again that did not have the block, or whose connection the client closed. */
const PAUSES = [200, 400, 800];
/** A read is refused if this many servers refuse it. */
const AGREED = 2;

/** The errors of a read so far, and the decision whether it continues. */
export class Progress {
  /** The error of the last server that failed. */
  last: LiteError | undefined;
  readonly #name: string;
  readonly #errors: LiteError[] = [];
  readonly #attempts = new Map<Server, number>();
  readonly #refusals = new Map<number | undefined, Set<Server>>();
  readonly #later = new Set<Server>();
  readonly #behind = new Set<Server>();
  /** Whether the client closed a connection: the server may be connected again soon. */
  #wasGivenUp = false;
  #rounds: number;

  /**
   * @param name - The function that is called.
   * @param isOnce - Whether servers that do not have the block are not asked again.
   */
  constructor(name: string, isOnce: boolean) {
    this.#name = name;
    this.#rounds = isOnce ? PAUSES.length : 0;
  }

  /** Whether another server was asked before. */
  get isRetry(): boolean {
    return this.#errors.length > 0;
  }

  record(server: Server, error: LiteError): void {
    this.last = error;
    this.#errors.push(error);
    const fault = faultOf(error);
    const isGivenUp = error instanceof GivenUpError;
    if (isGivenUp) this.#wasGivenUp = true;
    if (fault === "behind") this.#behind.add(server);
    if (fault === "behind" || isGivenUp) this.#later.add(server);
    else this.#attempts.set(server, (this.#attempts.get(server) ?? 0) + (fault === "refused" ? ATTEMPTS : 1));
    if (fault === "refused") this.#refusals.set(error.code, (this.#refusals.get(error.code) ?? new Set()).add(server));
  }

  /** The error of a read that enough servers refused with the same code. */
  get agreedRefusal(): LiteError | undefined {
    for (const [code, { size }] of this.#refusals) {
      if (size >= AGREED)
        return conclude(
          this.#name,
          this.#errors.filter((error) => error.code === code),
        );
    }
    return undefined;
  }

  /** Whether a server did not have the block, although it may have reported it: nodes apply shard blocks later. */
  wasBehind(server: Server): boolean {
    return this.#behind.has(server);
  }

  /** Whether the read may ask a server. */
  isLeft(server: Server): boolean {
    return !this.#later.has(server) && (this.#attempts.get(server) ?? 0) < ATTEMPTS;
  }

  /**
   * Called when no server is left. Returns the milliseconds until some servers may be asked again.
   *
   * @throws LiteError if the read has failed.
   */
  nextRound(): number {
    const ms = this.#later.size > 0 || this.#wasGivenUp ? PAUSES[this.#rounds] : undefined;
    if (ms === undefined) throw conclude(this.#name, this.#errors);
    this.#rounds += 1;
    this.#later.clear();
    return ms;
  }
}
