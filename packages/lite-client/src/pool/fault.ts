import { LiteError } from "@chain-query/lite-protocol/error";

/** Classes of errors of one server. Each decides how the pool continues. */
export type LiteFault =
  /** The connection ended, or the server broke the protocol: reconnect later. */
  | "broken"
  /** No answer in time: another server; after some in a row, as `broken`. */
  | "timeout"
  /** The server has a temporary problem: another server. */
  | "server-error"
  /** The server does not have the block yet: another server, or the same server a little later. */
  | "behind"
  /** The server has deleted the block, state or transaction, or never had it: final if all servers refuse. Archival ones may have it. */
  | "missing"
  /** The server does not have the function: do not call it there again. */
  | "unknown-function"
  /** The server received more queries than it allows: lower the rate, and another server. */
  | "limited"
  /** The server refuses the query, as malformed: final if all servers refuse. */
  | "refused"
  /** A proof does not hold: another server, and quarantine if that one has a proof that holds. */
  | "false-answer";

/**
 * The classes of refusals; the first rule with the code and the text decides. A code alone says little: the node has one for what it has
 * deleted and for what it does not have yet, and 0 for any error without one. Long texts have lost their middle. Its sources are those of ton-blockchain/ton, in `validator/`;
 * the function that fails is named behind each rule.
 */
const refusals: readonly (readonly [code: number, text: RegExp, fault: LiteFault])[] = [
  // common/errorcode.h: notready.
  [651, /last known masterchain block|possibly out of sync/, "behind"], // manager.cpp, process_{block_handle,lookup_block}_for_litequery_error
  [651, /is not applied/, "behind"], // the same, of a block that was received
  [651, /too (big masterchain block seqno|far ahead)/, "behind"], // manager.cpp, wait_shard_client_state
  [651, /./, "missing"], // db/archive-manager.cpp, db/archive-slice.cpp, db/rootdb.cpp: "not in db", "not found", "package already gc'd"
  // common/errorcode.h: error.
  [602, /state already gc'd/, "missing"], // db/rootdb.cpp, get_block_state
  // impl/liteserver.hpp: fatal_error without another code.
  [-400, /client knows block/, "behind"], // impl/liteserver.cpp, continue_getBlockProof
  [-400, /invalid|must (be|belong)|not contained|unsupported|exactly one of/, "refused"], // impl/liteserver.cpp, perform_*
  [-400, /./, "missing"], // impl/liteserver.cpp, abort_getTransactions, continue_getTransactions, got a state without the size of its queue
  // td::Status::Error with a text only.
  [0, /older than block's masterchain ref/, "refused"], // impl/liteserver.cpp, perform_lookupBlockWithProof
  [0, /doesn't have masterchain ref/, "behind"], // the same
  [0, /client knows block/, "behind"], // impl/liteserver.cpp, continue_loadPrevKeyBlock
  [621, /./, "unknown-function"], // common/errorcode.h: protoviolation; impl/liteserver.cpp, perform
  // Servers that are no nodes: the bytes are not TL, the block is too old or too new, and limits of proxies.
  [601, /./, "refused"],
  [410, /./, "missing"],
  [411, /./, "behind"],
  [228, /./, "limited"],
  [429, /./, "limited"],
];

/** Codes of time-outs: impl/liteserver.cpp, alarm; common/errorcode.h, timeout; and of proxies. */
const SLOW: readonly (number | undefined)[] = [-503, 652, 653];

/** The client has closed the connection, because the server failed another read: this read has not failed. */
export class GivenUpError extends LiteError {
  constructor(server: string, cause: LiteError) {
    super("unavailable", `${server}: the client has closed the connection`, { cause });
  }
}

/** Whether servers do not keep the block, state or transaction of a read any more. Archival ones may have it. */
export function isMissing(error: unknown): boolean {
  return faultOf(error) === "missing";
}

/** Whether a server said of a read that failed that it does not keep this any more; others may have failed. Archival ones may have it. */
export function isMissingSomewhere(error: unknown): boolean {
  return isMissing(error) || (error instanceof LiteError && isMissing(error.cause));
}

/** The class of an error; undefined for other errors, such as a cancellation or a fault of this program. */
export function faultOf(error: unknown): LiteFault | undefined {
  if (!(error instanceof LiteError)) return undefined;
  const kinds = { unavailable: "broken", protocol: "broken", timeout: "timeout", proof: "false-answer" } as const;
  if (error.kind === "exhausted" || error.kind === "unsupported") return undefined;
  return error.kind === "refused" ? faultOfRefusal(error.code ?? 0, error.message) : kinds[error.kind];
}

function faultOfRefusal(code: number, message: string): LiteFault {
  return refusals.find(([of, text]) => of === code && text.test(message))?.[2] ?? "server-error";
}

/** Whether a server refused a read, now and later. */
export function isRefusal(error: LiteError): boolean {
  const fault = faultOf(error);
  return fault === "refused" || fault === "missing";
}

/**
 * Combines the errors of the servers into the error of a read: "refused" if all servers refused; "timeout" if a server took too long, since
 * it may answer the next time; otherwise "unavailable". If a server does not keep the data, its error is the cause.
 *
 * @param others - Servers that may have the answer, and did not refuse.
 */
export function conclude(name: string, errors: readonly LiteError[], others: number): LiteError {
  const answered = errors.filter((error) => faultOf(error) !== "broken");
  const missing = answered.findLast(isMissing);
  const last = answered.at(-1) ?? errors.at(-1);
  if (!last) return new LiteError("unavailable", `${name}: no lite server is connected`);
  if (answered.length > 0 && answered.every(isRefusal)) {
    const refusal = missing ?? last;
    const options = { cause: refusal, code: refusal.code };
    if (others === 0) return new LiteError("refused", refusal.message, options);
    const rest = `${others} other${others === 1 ? "" : "s"} may have it, and cannot be asked now`;
    return new LiteError("unavailable", `${refusal.message}; ${rest}`, options);
  }
  const isSlow = (error: LiteError) => faultOf(error) === "timeout" || SLOW.includes(error.code);
  const kind = errors.some(isSlow) ? "timeout" : "unavailable";
  const message = `${name}: no lite server gave a valid answer, the last error is: ${last.message}`;
  return new LiteError(kind, message, { cause: missing ?? last, code: last.code });
}
