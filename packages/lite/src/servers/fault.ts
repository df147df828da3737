import { LiteError } from "../wire/lite-error.ts";

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

/** What a node adds if it may have the block later: `manager.cpp`, `process_{block_handle,lookup_block}_for_litequery_error`. */
const NOT_YET = /last known masterchain block|possibly out of sync|is not applied/;

/**
 * The classes of refusals; the first rule with the code and the text decides. A code alone says little: the node has one for what it has
 * deleted and for what it does not have yet, and 0 for any error without one. Long texts have lost their middle.
 *
 * Behind each rule is the place that makes the text. Files are those of ton-blockchain/ton in `validator/`, read in these commits:
 * impl/liteserver.cpp 02576499a09f, impl/liteserver.hpp 078aabe50e23, manager.cpp 020bfb9c9197, db/rootdb.cpp 03a1fe221805, and
 * common/errorcode.h c2da007f4065; and of xssnick/tonutils-liteserver-proxy in `internal/server/`: server.go 0fb229771454, cache.go
 * 057f3a5753bd. Of those in parentheses, the commit is not known.
 */
const refusals: readonly (readonly [code: number, text: RegExp, fault: LiteFault])[] = [
  // common/errorcode.h: notready.
  [651, NOT_YET, "behind"],
  [651, /too (big masterchain block seqno|far ahead)/, "behind"], // manager.cpp, wait_shard_client_state
  [651, /node not synced/, "server-error"], // manager.cpp, run_ext_query
  // rootdb.cpp, get_block_{data,proof,state}: "not in db"; manager.cpp, the functions of NOT_YET: "is not in db"
  // (db/archive-manager.cpp, get_block_by_{lt,seqno}: "lt not in db"; db/archive-slice.cpp, get_block_common: "ltdb: block not found",
  // add_handle: "package already gc'd"); cache.go, CacheBlockIfNeeded: "unknown block id"
  [651, /./, "missing"],
  // common/errorcode.h: error.
  [602, /state already gc'd/, "missing"], // db/rootdb.cpp, get_block_state
  // impl/liteserver.hpp: fatal_error without another code.
  [-400, /client knows block/, "behind"], // liteserver.cpp, continue_getBlockProof
  [-400, NOT_YET, "behind"], // liteserver.cpp, abort_getTransactions, which drops the code
  [-400, /unknown request type/, "unknown-function"], // server.go, handleRequest
  [-400, /invalid|must (be|belong)|not contained|unsupported|exactly one of/, "refused"], // liteserver.cpp, perform_* and request_*
  // liteserver.cpp, abort_getTransactions, continue_getTransactions: "cannot locate transaction"; and a state without the size of its queue
  [-400, /./, "missing"],
  // td::Status::Error with a text only.
  [0, /older than block's masterchain ref/, "refused"], // liteserver.cpp, perform_lookupBlockWithProof
  [0, /doesn't have masterchain ref/, "behind"], // the same
  [0, /client knows block/, "behind"], // liteserver.cpp, continue_loadPrevKeyBlock
  [621, /./, "unknown-function"], // common/errorcode.h: protoviolation; liteserver.cpp, perform
  // common/errorcode.h: failure. Servers that are no nodes give it for bytes that are not TL.
  [601, /./, "refused"],
  [404, /too old/, "missing"], // cache.go, GetMasterBlock
  [411, /./, "behind"], // the same
  [429, /./, "limited"], // server.go, handleRequest
  // Other proxies, from reports of users: the block is too old; a limit.
  [410, /./, "missing"],
  [228, /./, "limited"],
];

/**
 * Codes of time-outs: liteserver.cpp, alarm; common/errorcode.h, timeout, also of cache.go; those of cancelled queries; and server.go,
 * handleRequest: "backend node timeout".
 */
const SLOW: readonly (number | undefined)[] = [-503, 652, 653, 502];

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

/** Whether a read failed because servers do not have this yet. It may not exist at all. */
export function isBehind(error: unknown): boolean {
  return faultOf(error) === "behind" || (error instanceof LiteError && faultOf(error.cause) === "behind");
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
