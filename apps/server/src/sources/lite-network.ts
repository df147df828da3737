/** The lite client of a process, which is replaced when the list of servers changes. */
import type { LiteClient, LiteServerStatus } from "@chain-query/lite-client";

/** A lite client for one list of servers. */
export interface LiteConnection {
  readonly client: LiteClient;
  /** Whether the list names servers for old history. */
  readonly hasArchive: boolean;
}

/** Milliseconds without a connected server after which nothing is read any more. */
const silenceLimit = 30_000;
const checkInterval = 500;
/** Milliseconds that the servers of a new list have to name a head, and that reads from the old ones have to end. */
const replaceTimeout = 10_000;
const oldTimeout = 30_000;

/** Holds the client. */
export class LiteNetwork {
  #connection: LiteConnection;
  readonly #onChange: (problem: string | undefined) => void;
  #heardAt = Number.NEGATIVE_INFINITY;
  #reported: string | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly #old = new Map<LiteClient, NodeJS.Timeout>();

  /** @param onChange - Called when nothing can be read any more, with the reason, and when something can be read again. */
  constructor(connection: LiteConnection, onChange: (problem: string | undefined) => void) {
    this.#connection = connection;
    this.#onChange = onChange;
    this.#timer = setInterval(() => this.#report(), checkInterval);
    this.#timer.unref();
  }

  get client(): LiteClient {
    return this.#connection.client;
  }

  get hasArchive(): boolean {
    return this.#connection.hasArchive;
  }

  get servers(): readonly LiteServerStatus[] {
    return this.client.servers;
  }

  /** Why nothing can be read; undefined if a server was connected lately. */
  get problem(): string | undefined {
    if (this.#isSilent) this.#check();
    if (!this.#isSilent) return undefined;
    const states = Map.groupBy(this.servers, ({ state }) => state);
    const counts = [...states].map(([state, { length }]) => `${length} ${state}`).join(", ");
    return `no lite server is connected: ${counts}`;
  }

  /**
   * Reads from other servers from now on, if they name a head of the same network.
   *
   * @throws Error with one line if they do not; the servers stay what they were.
   */
  async replace(next: LiteConnection): Promise<void> {
    const { client } = this;
    try {
      if (!Buffer.from(next.client.zeroState.rootHash).equals(client.zeroState.rootHash))
        throw new Error("its zero_state is that of another network");
      await next.client.waitForHead({ signal: AbortSignal.timeout(replaceTimeout) }).catch(() => {
        throw new Error(`none of its servers names a masterchain block within ${replaceTimeout / 1000} s`);
      });
    } catch (error) {
      await next.client.close();
      throw error;
    }
    this.#connection = next;
    this.#check();
    const timer = setTimeout(() => {
      this.#old.delete(client);
      void client.close();
    }, oldTimeout);
    timer.unref();
    this.#old.set(client, timer);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    for (const timer of this.#old.values()) clearTimeout(timer);
    await Promise.all([this.client, ...this.#old.keys()].map((client) => client.close()));
  }

  get #isSilent(): boolean {
    return performance.now() - this.#heardAt > silenceLimit;
  }

  #check(): void {
    if (this.servers.some(({ state }) => state === "ready")) this.#heardAt = performance.now();
  }

  #report(): void {
    this.#check();
    const { problem } = this;
    if ((problem === undefined) !== (this.#reported === undefined)) this.#onChange(problem);
    this.#reported = problem;
  }
}
