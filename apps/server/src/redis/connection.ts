/** The connection of one process to Redis, which fails fast, so that no request waits for an outage. */

import { setTimeout as delay } from "node:timers/promises";
import { Redis, ReplyError } from "ioredis";
import { Counter, Gauge, type Registry } from "prom-client";
import { messageOf } from "../failure.ts";
import { Breaker, type CommandKind } from "./breaker.ts";
import { databaseOf, selectDatabase } from "./database.ts";

/** Receives why Redis is unavailable, and undefined when it has recovered. */
export type RedisChange = (problem: string | undefined) => void;

/** A connection that fails fast. */
export interface SharedRedis {
  readonly client: Redis;
  /** Whether commands are sent now. */
  readonly isReady: boolean;
  /** Why Redis is unavailable; undefined if it is not. */
  readonly problem: string | undefined;
  /** Milliseconds for a reply, and for all replies that a request waits for. */
  readonly replyTimeout: number;
  /** Sends commands. Rejects at once while Redis is unavailable, and after `replyTimeout` if it does not reply. */
  run<Value>(command: () => Promise<Value>, kind: CommandKind): Promise<Value>;
  /** Reads a value, with one command for all that are read in one tick of the event loop. Rejects like `run`. */
  read(name: string): Promise<string | null>;
  close(): Promise<void>;
}

/** Milliseconds. */
const [connectTimeout, reconnectDelay, firstReply] = [500, 200, 700];
/** Milliseconds after a server that was reached cannot be used. */
const unusableDelay = 1000;
/** Milliseconds that a server has from its connection to its first replies. */
const handshakeTimeout = 2000;

/**
 * Connects. Resolves when Redis has replied, or after a short while without it.
 *
 * The defaults of ioredis would queue commands during an outage, and send commands again that Redis may have counted. Its automatic
 * pipelines cost more than one write for several commands, and its timeouts one timer for each command or packet; the breaker has one for all.
 *
 * @param deadline - Seconds for a request. A reply may take 3 % of it.
 */
export async function connectRedis(
  url: string,
  deadline: number,
  registry: Registry,
  onChange: RedisChange,
): Promise<SharedRedis> {
  const database = databaseOf(url);
  const client = new Redis(database.server, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    connectTimeout,
    retryStrategy: () => (isUsable ? reconnectDelay : unusableDelay),
    // After a failover, the name of the server belongs to another one.
    reconnectOnError: (error) => {
      if (!isReadOnly(error)) return false;
      lastError = error.message;
      return true;
    },
    connectionName: "chain-query-server",
  });
  const countFailure = addRedisMetrics(registry, () => breaker.isWritable);
  let lastError = closed;
  let isUsable = true;
  const replyTimeout = 30 * deadline;
  const breaker = new Breaker({
    replyTimeout,
    probe: () => client.ping(),
    onChange,
    onFailure: countFailure,
    isOutage,
    reconnect: () => client.stream.destroy(new Error(noReply)),
  });
  let usedStream: Redis["stream"] | undefined;
  client.on("connect", () => {
    const { stream } = client;
    const check = (): void => {
      if (stream !== usedStream) stream.destroy(new Error(noReply));
    };
    setTimeout(check, handshakeTimeout).unref();
  });
  const ready = new Promise<void>((resolve) => {
    client.on("ready", async () => {
      const { stream } = client;
      try {
        await selectDatabase(client, database.number);
        // A replica refuses it, although there is nothing to delete, and so does a node of a cluster: the reads of a tick are for several owners.
        await client.del(...noKeys);
        if (client.stream !== stream) return;
        isUsable = true;
        lastError = closed;
        usedStream = stream;
        breaker.connected();
        resolve();
      } catch (error) {
        if (client.stream !== stream) return;
        isUsable = false;
        lastError = problemOf(error);
        breaker.disconnected(lastError);
        client.disconnect(true);
      }
    });
  });
  client.on("error", (error) => {
    lastError = error.message;
  });
  client.on("close", () => breaker.disconnected(lastError));
  await Promise.race([ready, delay(firstReply)]);
  const batches = new CommandBatches(client, breaker);
  return {
    client,
    get isReady() {
      return breaker.isReady;
    },
    get problem() {
      return breaker.problem;
    },
    replyTimeout,
    run: (command, kind) => batches.run(command, kind),
    read: (name) => batches.read(name),
    async close() {
      breaker.close();
      client.disconnect();
    },
  };
}

const closed = "the connection is closed";
const noReply = "there was no reply for a while";
/** In different slots of a cluster. */
const noKeys = ["key:{a}", "key:{b}"];
/** Errors with which Redis refuses commands for any key, also inside the error of a script. */
const refusals = /\b(?:OOM|READONLY|LOADING|NOAUTH|NOPERM|CLUSTERDOWN|MASTERDOWN|MISCONF|NOREPLICAS|BUSY)\b/;

/** Any other reply is about the key of the command, and says nothing about those of other owners. */
function isOutage(error: unknown): boolean {
  return !(error instanceof Error && error instanceof ReplyError) || refusals.test(error.message);
}

function problemOf(error: unknown): string {
  const message = messageOf(error);
  return message.startsWith("CROSSSLOT") ? "the server must be no part of a Redis Cluster, got cluster_enabled:1" : message;
}

function isReadOnly({ message }: Error): boolean {
  return /\bREADONLY\b/.test(message);
}

/** Adds the metrics. Returns the function that counts a failure. */
export function addRedisMetrics(registry: Registry, isReady: () => boolean): (error: unknown) => void {
  new Gauge({
    name: "chain_query_redis_ready",
    help: "Whether limits are counted in Redis; 0 if the instance counts alone",
    registers: [registry],
    collect() {
      this.set(Number(isReady()));
    },
  });
  const failures = new Counter({
    name: "chain_query_redis_failures_total",
    help: "Commands that Redis refused or did not reply to",
    registers: [registry],
  });
  return () => failures.inc();
}

interface Batch {
  /** The names to read, each with its value. */
  readonly values: Map<string, Promise<string | null>>;
  /** The values in the order of the names. */
  readonly all: Promise<readonly (string | null)[]>;
}

/** Sends the commands of one tick of the event loop in one write, which costs more than the rest of a command. */
class CommandBatches {
  readonly #client: Redis;
  readonly #breaker: Breaker;
  #batch: Batch | undefined;

  constructor(client: Redis, breaker: Breaker) {
    this.#client = client;
    this.#breaker = breaker;
  }

  /** Sends a command at the end of this tick. */
  run<Value>(command: () => Promise<Value>, kind: CommandKind): Promise<Value> {
    if (this.#breaker.isReady) this.#batch ??= this.#begin();
    return this.#breaker.run(command, kind);
  }

  /** Reads a value. All reads of a tick are one command, with each name once; no value is older than the call. Null also if it is no text. */
  read(name: string): Promise<string | null> {
    if (!this.#breaker.isReady) return this.#breaker.refuse();
    this.#batch ??= this.#begin();
    const { values, all } = this.#batch;
    const known = values.get(name);
    if (known !== undefined) return known;
    const index = values.size;
    const value = all.then((found) => found[index] ?? null);
    values.set(name, value);
    return value;
  }

  #begin(): Batch {
    const values: Batch["values"] = new Map();
    const { stream } = this.#client;
    stream?.cork();
    const all = new Promise<readonly (string | null)[]>((resolve) => {
      setImmediate(() => {
        this.#batch = undefined;
        if (values.size > 0) resolve(this.#breaker.run(() => this.#client.mget([...values.keys()]), "read"));
        stream?.uncork();
      });
    });
    return { values, all };
  }
}
