/** The databases behind a process: the primary, which decides on the head, and replicas, which are read from as soon as they have it. */
import { setTimeout as sleep } from "node:timers/promises";
import { type IndexHead, type PostgresReader, PostgresStoreError } from "@chain-query/postgres-store";
import { SourceError } from "../chain-source.ts";

/** A database that is read from. */
export interface DatabaseOptions {
  /** `primary`, `replica 1`, `archive`: names no host. */
  readonly name: string;
  /** Refuses another chain than the service's. */
  readonly reader: PostgresReader;
}

export type DatabaseState = "connecting" | "ready" | "behind" | "failing" | "foreign";

/** How a database is, as one process sees it. */
export interface DatabaseStatus {
  readonly name: string;
  readonly state: DatabaseState;
  /** Its newest masterchain block. */
  readonly seqno?: number;
  /** Seconds for which it lacks a block that the primary has. */
  readonly lag: number;
  /** Statements that wait for an answer. */
  readonly inFlight: number;
}

/** What the operator learns of a database. */
export interface DatabaseEvents {
  /** Called when the state changes; `reason` may name a host, for the log. */
  readonly onChange: (database: DatabaseStatus, reason: string | undefined) => void;
  /** Called after each read. That old history was dropped is an answer, too. */
  readonly onRead?: (database: string, seconds: number, hasFailed: boolean) => void;
}

/** Milliseconds. */
const pollInterval = 100;
/** Without an answer, or without the primary's block for so long, a replica is left out. */
const silenceLimit = 2_000;
const waitForReplicas = 250;
const waitBetweenReads = 5;

/** One database, polled. */
export class Database {
  readonly name: string;
  readonly reader: PostgresReader;
  readonly #events: DatabaseEvents;
  #head: IndexHead | undefined;
  #state: DatabaseState = "connecting";
  /** Of `performance.now()`. */
  #heardAt: number | undefined;
  #behindSince: number | undefined;
  #inFlight = 0;

  constructor({ name, reader }: DatabaseOptions, events: DatabaseEvents) {
    this.name = name;
    this.reader = reader;
    this.#events = events;
  }

  /** The newest head that it has answered with; -1 if it has not answered since it held another chain, or lacked a step. */
  get seqno(): number {
    return this.#head?.block.id.seqno ?? -1;
  }

  get head(): IndexHead | undefined {
    return this.#head;
  }

  get isInService(): boolean {
    return this.#state === "ready";
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get status(): DatabaseStatus {
    const { name, inFlight } = this;
    const lag = this.#behindSince === undefined ? 0 : (performance.now() - this.#behindSince) / 1000;
    return { name, state: this.#state, lag, inFlight, ...(this.#head && { seqno: this.seqno }) };
  }

  /** Reads its head. @throws PostgresStoreError. */
  async readHead(): Promise<IndexHead> {
    const head = await this.run((reader) => reader.head());
    this.#head = head;
    this.#heardAt = performance.now();
    return head;
  }

  /** Runs a read. */
  async run<Result>(read: (reader: PostgresReader) => Promise<Result>): Promise<Result> {
    const started = performance.now();
    let hasFailed = false;
    this.#inFlight++;
    try {
      return await read(this.reader);
    } catch (error) {
      hasFailed = !isKind(error, "dropped");
      // What is at its address now is not what told this head.
      if (isKind(error, "behind", "foreign")) this.#head = undefined;
      if (isKind(error, "foreign")) this.#change("foreign", error);
      throw error;
    } finally {
      this.#inFlight--;
      this.#events.onRead?.(this.name, (performance.now() - started) / 1000, hasFailed);
    }
  }

  /** Reads its head, compares it with the primary's, and decides whether it is read from. */
  async check(primarySeqno: number): Promise<void> {
    const reason = await this.readHead().then(
      () => undefined,
      (error: unknown) => error,
    );
    const now = performance.now();
    this.#behindSince = this.seqno < primarySeqno ? (this.#behindSince ?? now) : undefined;
    if (isKind(reason, "foreign")) return;
    if (reason !== undefined && now - (this.#heardAt ?? 0) > silenceLimit) this.#change("failing", reason);
    else if (reason !== undefined) return;
    else this.#change(now - (this.#behindSince ?? now) > silenceLimit ? "behind" : "ready", undefined);
  }

  #change(state: DatabaseState, reason: unknown): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#events.onChange(this.status, reason instanceof Error ? reason.message : undefined);
  }
}

/** What the databases of a process are for. */
export interface DatabaseSet {
  readonly primary: DatabaseOptions;
  readonly replicas: readonly DatabaseOptions[];
  /** One with the whole history, which need not have the newest blocks. */
  readonly archive: DatabaseOptions | undefined;
}

/** All databases of a process. */
export class Databases {
  readonly primary: Database;
  readonly replicas: readonly Database[];
  readonly archive: Database | undefined;
  readonly #all: readonly Database[];
  readonly #timers = new Map<Database, NodeJS.Timeout>();
  #next = 0;
  #isClosed = false;

  constructor({ primary, replicas, archive }: DatabaseSet, events: DatabaseEvents) {
    const make = (options: DatabaseOptions): Database => new Database(options, events);
    this.primary = make(primary);
    this.replicas = replicas.map(make);
    this.archive = archive && make(archive);
    this.#all = [this.primary, ...this.replicas, ...(this.archive ? [this.archive] : [])];
  }

  get status(): readonly DatabaseStatus[] {
    return this.#all.map(({ status }) => status);
  }

  /** Polls each of them from now on. Resolves after the first time. @param onPolled - Called after one that can decide on the head was polled. */
  async start(onPolled: () => Promise<void>): Promise<void> {
    await Promise.all(this.#all.map((one) => this.#poll(one, onPolled)));
  }

  async #poll(database: Database, onPolled: () => Promise<void>): Promise<void> {
    await database.check(database === this.archive ? -1 : this.primary.seqno);
    if (database !== this.archive && !this.#isClosed) await onPolled();
    if (this.#isClosed) return;
    const timer = setTimeout(() => void this.#poll(database, onPolled), pollInterval);
    timer.unref();
    this.#timers.set(database, timer);
  }

  /** Reads from a database that has a masterchain block. @throws SourceError of kind "slow" if none has it in time. */
  async read<Result>(at: number, run: (reader: PostgresReader) => Promise<Result>): Promise<Result> {
    const database = this.#withBlock(at) ?? (await this.#waitFor(at));
    try {
      return await database.run(run);
    } catch (error) {
      // A replica that is gone, or another one now, is no reason not to answer.
      const isReplicas = isAway(error) || isKind(error, "behind", "foreign");
      if (database === this.primary || !isReplicas || this.primary.seqno < at) throw error;
      return this.primary.run(run);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.all(this.#all.map(({ reader }) => reader.close()));
  }

  /** A replica in turn, or the primary without replicas. Undefined if it lacks the block. */
  #withBlock(at: number): Database | undefined {
    const { replicas } = this;
    if (replicas.length === 0) return this.primary.seqno >= at ? this.primary : undefined;
    const usable = replicas.filter((replica) => replica.isInService && replica.seqno >= at);
    return usable[this.#next++ % Math.max(1, usable.length)];
  }

  /** Asks replicas that are about to have the block, and then the primary. */
  async #waitFor(at: number): Promise<Database> {
    const end = performance.now() + waitForReplicas;
    while (performance.now() < end) {
      const inService = this.replicas.filter(({ isInService }) => isInService);
      const asked = inService.length === 0 ? [this.primary] : inService;
      await Promise.allSettled(asked.map((one) => one.readHead()));
      const found = asked.find(({ seqno }) => seqno >= at);
      if (found !== undefined) return found;
      await sleep(waitBetweenReads);
    }
    await this.primary.readHead();
    if (this.primary.seqno >= at) return this.primary;
    throw new SourceError("slow", "the databases of this service do not have the newest block yet");
  }
}

/** Whether a database cannot be reached, or does not answer in time. */
export function isAway(error: unknown): boolean {
  return isKind(error, "unreachable", "refused", "slow") || (error instanceof SourceError && error.kind === "slow");
}

function isKind(error: unknown, ...kinds: readonly PostgresStoreError["kind"][]): boolean {
  return error instanceof PostgresStoreError && kinds.includes(error.kind);
}
