import { setImmediate as yieldToEvents } from "node:timers/promises";
import { LiteError } from "@chain-query/lite-protocol/error";
import {
  type LiteArguments,
  type LiteCall,
  type LiteFunction,
  readQuery,
  writeAnswer,
  writeError,
} from "@chain-query/lite-protocol/tl";
import { accountAnswers } from "./answers/accounts.ts";
import { blockAnswers, blockLookupAnswers } from "./answers/blocks.ts";
import { configAnswers, masterchainAnswers } from "./answers/masterchain.ts";
import { queueAnswers, shardAnswers } from "./answers/shards.ts";
import { blockTransactionAnswers, transactionAnswers } from "./answers/transactions.ts";
import type { LiteBehaviour } from "./behaviour.ts";
import { CODES, failure } from "./failure.ts";
import type { HeadWatch } from "./head-watch.ts";
import type { Answer, LoadedChain } from "./lite-chain.ts";

/** Answers a query. The signal identifies its connection, and aborts when the connection ends. */
export type Respond = (query: Uint8Array, signal: AbortSignal) => Promise<Uint8Array>;

/**
 * Answers queries in TL, also with errors. Rejects only if the connection has ended.
 *
 * @param headWatch - Waits for the block of `waitMasterchainSeqno`.
 * @param onError - Receives errors that are not the client's.
 */
export function createResponder(
  chain: LoadedChain,
  headWatch: HeadWatch,
  { answer: change }: LiteBehaviour,
  onError: (error: unknown) => void,
): Respond {
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
      if (call.waitFor) await headWatch.wait(call.waitFor.seqno, call.waitFor.timeoutMs, signal);
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
  ...blockLookupAnswers,
  ...accountAnswers,
  ...shardAnswers,
  ...transactionAnswers,
  ...blockTransactionAnswers,
  ...queueAnswers,
  ...configAnswers,
};

/**
 * Answers a call in TL.
 *
 * @throws LiteError if the server refuses the call.
 */
function answerCall<Name extends LiteFunction>(
  chain: LoadedChain,
  { name, args }: { readonly name: Name; readonly args: LiteArguments<Name> },
): Uint8Array {
  const answer: Answer<Name> | undefined = answers[name];
  if (!answer) throw failure(CODES.unknownFunction, `unknown function ${name}`);
  return writeAnswer(name, answer(chain, args));
}
