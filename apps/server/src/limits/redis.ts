/** The connection of one process to Redis, which ends fast, so that no request waits for an outage. */

import { setTimeout as delay } from "node:timers/promises";
import { shortText } from "@chain-query/format/error";
import { Redis } from "ioredis";
import { messageOf } from "../failure.ts";

/** A connection to a Redis that counts, or not. */
export interface SharedRedis {
  readonly client: Redis;
  /** Why Redis does not count; undefined if it does, and empty until the first connection. */
  readonly problem: string | undefined;
  close(): Promise<void>;
}

/** Milliseconds. */
const [connectTimeout, reconnectDelay, firstReply] = [500, 500, 700];
/** The part of the deadline of a request that a reply may take, and the silence after which the connection is replaced. */
const [replyShare, silenceShare] = [0.03, 0.06];
/** Milliseconds of both, at least: a process that was busy for a moment ends its timers before it reads replies that have arrived. */
const [leastReply, leastSilence] = [100, 300];
const closed = "the connection is closed";
/** Errors with which Redis refuses counts of any caller, also inside the error of a script. Others are about the key of one. */
const refusals = /\b(?:OOM|READONLY|LOADING|NOAUTH|NOPERM|CLUSTERDOWN|MASTERDOWN|MISCONF|NOREPLICAS|BUSY)\b/;
/** In different slots of a cluster. */
const [noKey, otherKey] = ["none:{a}", "none:{b}"];

/**
 * Connects. Resolves when Redis has replied, or after a short while without it.
 *
 * A reply has 3 % of the deadline, and 100 ms at least. A silence of twice as long, and of 300 ms at least, ends the connection; until a new one has replied, there is a problem, and callers do not
 * send commands. The defaults of ioredis would queue commands during an outage, and send commands again that Redis may have counted.
 *
 * @param url - May have the number of a database as its path.
 * @param deadline - Seconds for a request.
 * @param onChange - Receives why Redis does not count, and undefined when it does again.
 */
export async function connectRedis(
  url: string,
  deadline: number,
  onChange: (problem: string | undefined) => void,
): Promise<SharedRedis> {
  let problem: string | undefined = "";
  let lastError = closed;
  let isClosing = false;
  const report = (next: string | undefined): void => {
    const isSame = next === undefined ? problem === undefined : problem;
    if (isClosing || isSame) return;
    // Texts of the server.
    problem = next && shortText(next);
    onChange(problem);
  };
  const client = new Redis(url, {
    connectionName: "chain-query-server",
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    connectTimeout,
    commandTimeout: Math.max(leastReply, 1000 * deadline * replyShare),
    socketTimeout: Math.max(leastSilence, 1000 * deadline * silenceShare),
    retryStrategy: () => reconnectDelay,
    // After a failover, the name of the server belongs to another one.
    reconnectOnError: ({ message }) => {
      if (!refusals.test(message)) return false;
      lastError = message;
      return true;
    },
  });
  const ready = new Promise<void>((resolve) => {
    client.on("ready", async () => {
      const { stream, options } = client;
      try {
        // Copies nothing. Refused by a server that is a replica, is full, is a node of a cluster, or has no database of this number.
        await client.copy(noKey, otherKey, "DB", options.db ?? 0);
        if (client.stream !== stream) return;
        lastError = closed;
        report(undefined);
        resolve();
      } catch (error) {
        if (client.stream !== stream) return;
        lastError = problemOf(error);
        client.disconnect(true);
      }
    });
  });
  client.on("error", ({ message }) => {
    lastError = message;
  });
  client.on("close", () => report(lastError));
  await Promise.race([ready, delay(firstReply)]);
  return {
    client,
    get problem() {
      return problem;
    },
    async close() {
      isClosing = true;
      client.disconnect();
    },
  };
}

function problemOf(error: unknown): string {
  const message = messageOf(error);
  return message.startsWith("CROSSSLOT") ? "the server must be no part of a Redis Cluster, got cluster_enabled:1" : message;
}
