/** Lite servers that answer late, with an error, or not at all. */
import { setTimeout as sleep } from "node:timers/promises";
import type { BehavingCall, LiteBehaviour } from "../answers/behaviour.ts";
import { writeError } from "../wire/tl/queries.ts";
import type { LiteFunction } from "../wire/tl/scheme.ts";

/** Which calls a behaviour changes. */
export interface Scope {
  /** Only calls of this function; default: of all. */
  readonly name?: LiteFunction | undefined;
  /** Calls with a correct answer first; default: 0. */
  readonly after?: number | undefined;
  /** Calls with a changed answer, before correct answers again; default: all. */
  readonly times?: number | undefined;
}

/**
 * Answers with an error.
 *
 * @example
 * ```ts
 * refuse(651, "block is not applied (last known masterchain block: 7)", { times: 3 });
 * ```
 */
export function refuse(code: number, message = "refused", scope: Scope = {}): LiteBehaviour {
  return changeCalls(scope, async () => writeError(code, message));
}

/** The history that a server has deleted. */
export interface PrunedHistory {
  /** The first masterchain block that it has, besides the zero state. */
  readonly firstSeqno: number;
  /** The end of the blocks before it in logical time. */
  readonly endLt: bigint;
  /** The time of the blocks before it, in Unix seconds; default: it is not checked. */
  readonly endTime?: number;
  /** The first masterchain block of which it has the states, which nodes delete before the block; default: as blocks. */
  readonly firstState?: number;
}

/**
 * Refuses calls for masterchain blocks, logical times, times and states that the server has deleted, with the codes and texts of a node:
 * states after about an hour, blocks after some days.
 *
 * @param history - Read for each call, so that a server can delete more while it runs.
 */
export function prune(history: PrunedHistory): LiteBehaviour {
  return {
    answer: async ({ call: { name, args } }, next) => {
      const { firstSeqno, endLt, endTime = -1, firstState = 0 } = history;
      const { id, lt, utime } = args as { id?: { workchain: number; seqno?: number }; lt?: bigint; utime?: number };
      const isBefore = (first: number) => id?.workchain === -1 && id.seqno !== undefined && id.seqno > 0 && id.seqno < first;
      const isOldLt = typeof lt === "bigint" && lt < endLt;
      if (isOldLt && name === "getTransactions")
        return writeError(-400, `cannot compute block with specified transaction: cannot find block lt=${lt}: lt not in db`);
      if (isOldLt || (utime !== undefined && utime <= endTime) || isBefore(firstSeqno))
        return writeError(651, "cannot find block: ltdb: block not found");
      const isStateGone = name === "getAccountState" && isBefore(firstState);
      return isStateGone ? writeError(602, "cannot load state for (-1,8000000000000000,1) : state already gc'd") : next();
    },
  };
}

/** Receives calls and does not answer them. The connection stays open. */
export function silence(scope: Scope = {}): LiteBehaviour {
  return changeCalls(scope, () => new Promise<never>(() => undefined));
}

/** Answers later. */
export function delay(milliseconds: number, scope: Scope = {}): LiteBehaviour {
  return changeCalls(scope, async ({ signal }, next) => {
    await sleep(milliseconds, undefined, { signal });
    return next();
  });
}

/** Answers with other bytes. */
export function changeBytes(change: (answer: Uint8Array) => Uint8Array, scope: Scope = {}): LiteBehaviour {
  return changeCalls(scope, async (_, next) => change(await next()));
}

/** Bytes that are not TL. */
export function garbage(scope: Scope = {}): LiteBehaviour {
  return changeBytes(() => new Uint8Array(64).fill(0xa5), scope);
}

/** Four bytes more than the answer has. */
export function trailingBytes(scope: Scope = {}): LiteBehaviour {
  return changeBytes((answer) => Buffer.concat([answer, new Uint8Array(4)]), scope);
}

/** The fields of the answer behind the constructor id of another type. */
export function wrongTag(scope: Scope = {}): LiteBehaviour {
  return changeBytes((answer) => Buffer.concat([Buffer.from("e953000d", "hex"), answer.subarray(4)]), scope);
}

/** The identifiers of the forms of signatures in TL: ordinary and Simplex. */
const SIGNATURE_FORMS = ["f644a6e6", "009824ac"].map((id) => Buffer.from(id, "hex"));

/** Proofs whose last signatures have a form that no client knows, as after an upgrade of the network. */
export function unknownSignatures(): LiteBehaviour {
  const change = (answer: Uint8Array): Uint8Array => {
    const changed = Buffer.from(answer);
    const last = Math.max(...SIGNATURE_FORMS.map((id) => changed.lastIndexOf(id)));
    if (last >= 0) changed.writeUInt32BE(0xdeadc0de, last);
    return changed;
  };
  return changeBytes(change, { name: "getBlockProof" });
}

/** An answer cut off in its middle. */
export function truncated(scope: Scope = {}): LiteBehaviour {
  return changeBytes((answer) => answer.subarray(0, (answer.length >> 3) * 4), scope);
}

/** A list of transactions that states 2^31 ids and has none. */
export function hugeVector(scope: Scope = {}): LiteBehaviour {
  const answer = Buffer.alloc(8);
  answer.write("6f26c60b", "hex");
  answer.writeUInt32LE(2 ** 31, 4);
  return changeBytes(() => answer, { name: "getTransactions", ...scope });
}

/** The correct answer to another function, `getTime`. */
export function answerOfAnotherFunction(scope: Scope = {}): LiteBehaviour {
  return changeCalls(scope, async ({ ask }) => ask({ name: "getTime", args: {} }));
}

/** Replaces the answers in a scope. */
export function changeCalls(
  { name, after = 0, times = Number.POSITIVE_INFINITY }: Scope,
  change: (context: BehavingCall, next: () => Promise<Uint8Array>) => Promise<Uint8Array>,
): LiteBehaviour {
  let seen = 0;
  return {
    answer: (context, next) => {
      if (name && context.call.name !== name) return next();
      seen += 1;
      return seen > after && seen <= after + times ? change(context, next) : next();
    },
  };
}
