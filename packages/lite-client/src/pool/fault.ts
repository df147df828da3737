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
  /** The server does not have the function: do not call it there again. */
  | "unknown-function"
  /** The server received more queries than it allows: lower the rate, and another server. */
  | "limited"
  /** The server refuses the query: final if a second server does too. */
  | "refused"
  /** A proof does not hold: quarantine, and another server. */
  | "false-answer";

const faults: Readonly<Record<number, LiteFault>> = {
  [-400]: "refused",
  601: "refused",
  410: "refused",
  651: "behind",
  411: "behind",
  621: "unknown-function",
  228: "limited",
  429: "limited",
};

/** The client has closed the connection, because the server failed another read: this read has not failed. */
export class GivenUpError extends LiteError {
  constructor(server: string, cause: LiteError) {
    super("unavailable", `${server}: the client has closed the connection`, { cause });
  }
}

/** The refusals of a server that does not have a block, a state or a transaction. */
const MISSING: readonly (number | undefined)[] = [-400, 410, 651];

/** Whether servers do not have the block, state or transaction of a read. Archival ones may have it. */
export function isMissing(error: unknown): boolean {
  return error instanceof LiteError && MISSING.includes(error.code);
}

/** The class of an error; undefined for other errors, such as a cancellation or a fault of this program. */
export function faultOf(error: unknown): LiteFault | undefined {
  if (!(error instanceof LiteError)) return undefined;
  const kinds = { unavailable: "broken", protocol: "broken", timeout: "timeout", proof: "false-answer" } as const;
  if (error.kind === "exhausted" || error.kind === "unsupported") return undefined;
  return error.kind === "refused" ? (faults[error.code ?? 0] ?? "server-error") : kinds[error.kind];
}

/**
 * Combines the errors of the servers into the error of a read: "refused" if all servers that answered refused with the same code, which
 * leaves out ended connections; "timeout" if a server took too long, since it may answer the next time; otherwise "unavailable".
 */
export function conclude(name: string, errors: readonly LiteError[]): LiteError {
  const answered = errors.filter((error) => faultOf(error) !== "broken");
  const last = answered.at(-1) ?? errors.at(-1);
  if (!last) return new LiteError("unavailable", `${name}: no lite server is connected`);
  const { code } = last;
  const options = { cause: last, code };
  if (answered.length > 0 && answered.every((error) => faultOf(error) === "refused" && error.code === code)) {
    return new LiteError("refused", last.message, options);
  }
  const isSlow = (error: LiteError) => faultOf(error) === "timeout" || [652, 653, -503].includes(error.code ?? 0);
  const kind = errors.some(isSlow) ? "timeout" : "unavailable";
  return new LiteError(kind, `${name}: no lite server gave a valid answer, the last error is: ${last.message}`, options);
}
