import { setTimeout as sleep, setImmediate as yieldToEvents } from "node:timers/promises";
import { untilAborted } from "@chain-query/format/async";
import { LiteError } from "../wire/lite-error.ts";
import { type LiteCall, readQuery, writeAnswer, writeError } from "../wire/tl/queries.ts";
import type { LiteArguments, LiteFunction } from "../wire/tl/scheme.ts";
import { accountAnswers } from "./accounts.ts";
import type { LiteBehaviour } from "./behaviour.ts";
import { blockProofAnswers } from "./block-proofs.ts";
import { blockAnswers, blockLinkAnswers } from "./blocks.ts";
import { type Answer, CODES, failure, type LiteChain, LoadedChain, shardHeadOf } from "./lite-chain.ts";
import { configAnswers, masterchainAnswers } from "./masterchain.ts";
import { queueAnswers, shardAnswers } from "./shards.ts";
import { blockTransactionAnswers, transactionAnswers } from "./transactions.ts";

/** Answers a query. The signal identifies its connection, and aborts when the connection ends. */
export type Respond = (query: Uint8Array, signal: AbortSignal) => Promise<Uint8Array>;

/**
 * Answers queries in TL, also with errors. Rejects only if the connection has ended.
 *
 * @param onError - Receives errors that are not the client's.
 */
export function createResponder(
  source: LiteChain,
  { answer: change }: LiteBehaviour,
  onError: (error: unknown) => void,
): Respond {
  const chain = new LoadedChain(source);
  const waitForHead = headWaits(source);
  const waitInQueue = connectionQueues();
  let received = 0;

  const answered = (call: Pick<LiteCall, "name" | "args">): Uint8Array => {
    try {
      return answerCall(chain, call);
    } catch (error) {
      return refuse(error, onError);
    }
  };

  return async (query, signal) => {
    let call: LiteCall;
    try {
      call = readQuery(query);
      if (call.waitFor) await waitForHead(call.waitFor.seqno, call.waitFor.timeoutMs, signal);
    } catch (error) {
      signal.throwIfAborted();
      return refuse(error, onError);
    }
    await waitInQueue(signal);
    signal.throwIfAborted();
    const next = async () => answered(call);
    return change ? change({ call, index: received++, signal, ask: answered }, next) : next();
  };
}

/** Answers one query of each connection per event-loop tick, so that a connection with many queries does not delay the others. */
function connectionQueues(): (connection: AbortSignal) => Promise<void> {
  const last = new WeakMap<AbortSignal, Promise<void>>();
  return (connection) => {
    const tick = (last.get(connection) ?? Promise.resolve()).then(() => yieldToEvents());
    last.set(connection, tick);
    return tick;
  };
}

function refuse(error: unknown, onError: (error: unknown) => void): Uint8Array {
  if (error instanceof LiteError && error.code !== undefined) return writeError(error.code, error.message);
  onError(error);
  return writeError(CODES.internal, "internal error");
}

const answers: { readonly [Name in LiteFunction]?: Answer<Name> } = {
  ...masterchainAnswers,
  ...blockAnswers,
  ...blockLinkAnswers,
  ...blockProofAnswers,
  ...accountAnswers,
  ...shardAnswers,
  ...transactionAnswers,
  ...blockTransactionAnswers,
  ...queueAnswers,
  ...configAnswers,
};

/** Answers a call in TL. @throws LiteError if the server refuses it. */
export function answerCall<Name extends LiteFunction>(
  chain: LoadedChain,
  { name, args }: { readonly name: Name; readonly args: LiteArguments<Name> },
): Uint8Array {
  const answer: Answer<Name> | undefined = answers[name];
  if (!answer) throw failure(CODES.unknownFunction, `unknown function ${name}`);
  return writeAnswer(name, answer(chain, args));
}

/** Milliseconds between two reads of the head while a query waits. */
const POLL_MS = 20;
/** Queries wait at most this long. */
const MAX_WAIT_MS = 10_000;
/** Blocks that a query may wait for. */
const MAX_AHEAD = 100;

/**
 * Lets queries wait for a masterchain block and its shards.
 *
 * @throws LiteError 651 if the block is more than 100 ahead, 652 if it does not come in time.
 * @throws The error of the chain if its head cannot be read.
 */
function headWaits(chain: LiteChain): (seqno: number, timeoutMs: number, signal: AbortSignal) => Promise<void> {
  // All queries that wait share a timer.
  let tick: Promise<void> | undefined;
  const nextTick = async (): Promise<void> => {
    await sleep(POLL_MS);
    tick = undefined;
  };
  return async (seqno, timeoutMs, signal) => {
    const deadline = performance.now() + Math.min(Math.max(timeoutMs, 0), MAX_WAIT_MS);
    for (let head = shardHeadOf(chain).seqno; head < seqno; head = shardHeadOf(chain).seqno) {
      if (seqno > head + MAX_AHEAD) throw failure(CODES.notReady, "too big masterchain block seqno");
      if (performance.now() >= deadline) throw failure(CODES.timeout, `timeout: masterchain block ${seqno}`);
      tick ??= nextTick();
      await untilAborted(tick, signal);
    }
  };
}
