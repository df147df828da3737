/**
 * The child processes of the service, which are the workers and the block producer: their programs, the messages between them and the
 * primary over Node's IPC channel, and the delay before a restart.
 */
import { fileURLToPath } from "node:url";
import { isUserError } from "@chain-query/command-line";
import { StartError } from "../failure.ts";
import type { ServeOptions } from "../serve-options.ts";
import type { ChainIdentity } from "../sources/chain-identity.ts";

/** The path of a program in this folder. */
export function programPath(name: "worker" | "block-producer"): string {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return fileURLToPath(new URL(`${name}.${extension}`, import.meta.url));
}

/** The task of the block producer, as JSON in its only argument. */
export interface ProducerTask {
  readonly chain: string;
  /** Seed of a new chain; absent for the chain of the documentation's examples. */
  readonly seed?: number | undefined;
  /** Seconds. */
  readonly blockInterval: number;
  /** The chain to continue; absent only at the first start, which may create one. */
  readonly identity?: ChainIdentity;
}

/** Messages of the block producer. */
export type ProducerMessage =
  | { readonly kind: "chain-query:creating"; readonly step: number; readonly of: number }
  | { readonly kind: "chain-query:producing"; readonly identity: ChainIdentity }
  /** The head is later than the clock: the next block is made at `until`, in Unix seconds. */
  | { readonly kind: "chain-query:ahead"; readonly until: number }
  | { readonly kind: "chain-query:block"; readonly seqno: number; readonly transactions: number }
  | FailedMessage;

/** The task of a worker, as JSON in an environment variable. */
export interface WorkerTask {
  readonly options: ServeOptions;
  readonly number: number;
  readonly identity: ChainIdentity | undefined;
  readonly sharedFolder: string | undefined;
}

export const workerTaskVariable = "CHAIN_QUERY_WORKER_TASK";

/** Messages of a worker. */
export type WorkerMessage =
  | { readonly kind: "chain-query:listening"; readonly url: string; readonly adminUrl: string | undefined }
  /** Why Redis is unavailable; undefined when it has recovered. */
  | { readonly kind: "chain-query:redis"; readonly problem?: string | undefined }
  | FailedMessage;

/** Tells a worker to drain and exit, or to read the list of lite servers again. */
export interface PrimaryMessage {
  readonly kind: "chain-query:stop" | "chain-query:reload";
}

/** The last message of a process that fails. */
export interface FailedMessage {
  readonly kind: "chain-query:failed";
  readonly message: string;
  readonly isUserError: boolean;
}

/** Describes an error to the parent process. */
export function failedMessage(error: unknown): FailedMessage {
  if (isUserError(error)) return { kind: "chain-query:failed", message: error.message, isUserError: true };
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: "chain-query:failed", message, isUserError: false };
}

/** The error that a child process described. */
export function errorOf({ message, isUserError }: FailedMessage): Error {
  return isUserError ? new StartError(message) : new Error(message);
}

/** One end of an IPC channel. */
interface Peer {
  send?(message: unknown): unknown;
  on(event: "message", listener: (message: unknown) => void): unknown;
  off(event: "message", listener: (message: unknown) => void): unknown;
}

/** Values that one process can request from another: the metrics of one worker, or of all. */
type Topic = "worker metrics" | "all metrics";

interface QueryMessage {
  readonly kind: "chain-query:query" | "chain-query:reply";
  readonly topic: Topic;
  readonly id: number;
  readonly value?: unknown;
}

let queries = 0;

/** Requests a value from another process. Rejects if the reply takes more than `timeout` milliseconds. */
export function query(peer: Peer, topic: Topic, timeout: number): Promise<unknown> {
  const id = ++queries;
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      peer.off("message", onMessage);
      settle();
    };
    const onMessage = (message: unknown): void => {
      if (isQuery(message) && message.kind === "chain-query:reply" && message.id === id) finish(() => resolve(message.value));
    };
    const timer = setTimeout(() => finish(() => reject(new Error(`no reply about ${topic} in ${timeout} ms`))), timeout);
    peer.on("message", onMessage);
    peer.send?.({ kind: "chain-query:query", topic, id } satisfies QueryMessage);
  });
}

/** Replies to the queries of another process. A value that cannot be read is not replied to. */
export function reply(peer: Peer, topic: Topic, read: () => Promise<unknown>): void {
  peer.on("message", (message) => {
    if (!isQuery(message) || message.kind !== "chain-query:query" || message.topic !== topic) return;
    const { id } = message;
    read().then(
      (value) => peer.send?.({ kind: "chain-query:reply", topic, id, value } satisfies QueryMessage),
      () => {},
    );
  });
}

function isQuery(message: unknown): message is QueryMessage {
  if (typeof message !== "object" || message === null || !("kind" in message)) return false;
  return message.kind === "chain-query:query" || message.kind === "chain-query:reply";
}

/** Milliseconds. */
const firstDelay = 500;
const maxDelay = 30_000;
/** After this runtime, the next restart has the first delay again. */
const stableAfter = 60_000;

/**
 * Returns a function that computes the delay before a restart from the runtime of the process. The delay doubles until the process keeps
 * running.
 */
export function backoff(): (ranFor: number) => number {
  let delay = 0;
  return (ranFor) => {
    delay = ranFor >= stableAfter ? firstDelay : Math.min(maxDelay, Math.max(firstDelay, delay * 2));
    return delay;
  };
}

/** Milliseconds. */
const interruptDelay = 500;

/**
 * Reports that a child has ended before it was ready. Ctrl-C reaches all processes of a terminal, and ends a child that still loads its
 * modules, maybe before this process has read its own signal: then the report is late, and the stop comes first.
 */
export function failAfter(signal: string | null, fail: () => void): void {
  if (signal === "SIGINT") setTimeout(fail, interruptDelay);
  else fail();
}
