import { setImmediate as nextTurn } from "node:timers/promises";
import { LiteError } from "@chain-query/lite-protocol/error";
import { type LiteCall, readQuery, writeError } from "@chain-query/lite-protocol/tl";
import { answerCall } from "./answers/answers.ts";
import type { LiteBehaviour } from "./behaviour.ts";
import { CODES, LiteFailure } from "./failure.ts";
import type { HeadWatch } from "./head-watch.ts";
import type { LoadedChain } from "./loaded-chain.ts";

/** Answers a query of the connection that a signal stands for. */
export type Respond = (query: Uint8Array, signal: AbortSignal) => Promise<Uint8Array>;

/**
 * Answers queries in TL. An error is an answer, too: rejects only if the connection has ended.
 *
 * @param heads - The chain whose head `waitMasterchainSeqno` waits for.
 * @param onError - Receives errors that are not the client's.
 */
export function createResponder(
  chain: LoadedChain,
  heads: HeadWatch,
  { answer: change }: LiteBehaviour,
  onError: (error: unknown) => void,
): Respond {
  const takeTurn = turns();
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
      if (call.waitFor) await heads.wait(call.waitFor.seqno, call.waitFor.timeoutMs, signal);
    } catch (error) {
      signal.throwIfAborted();
      return refuse(error, onError);
    }
    await takeTurn(signal);
    signal.throwIfAborted();
    const next = async () => answered(call);
    return change ? change({ call, index: received++, signal, ask: answered }, next) : next();
  };
}

/** Lets each connection answer once in a turn of the event loop, so that one with many queries does not delay the others. */
function turns(): (connection: AbortSignal) => Promise<void> {
  const last = new WeakMap<AbortSignal, Promise<void>>();
  return (connection) => {
    const turn = (last.get(connection) ?? Promise.resolve()).then(() => nextTurn());
    last.set(connection, turn);
    return turn;
  };
}

function refuse(error: unknown, onError: (error: unknown) => void): Uint8Array {
  if (error instanceof LiteFailure) return writeError(error.code, error.message);
  if (error instanceof LiteError && error.code !== undefined) return writeError(error.code, error.message);
  onError(error);
  return writeError(CODES.internal, "internal error");
}
