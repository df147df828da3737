import { LiteError } from "@chain-query/lite-protocol/error";

/** What an error of one server says of the server and of the query, and so what to do next. */
export type LiteFault =
  /** The connection ended, or the bytes are not the protocol: the server is left and tried again later. */
  | "broken"
  /** No answer in time: another server; after some in a row, as `broken`. */
  | "silent"
  /** The server has a passing problem: another server. */
  | "troubled"
  /** The server does not have the block yet: another server, or the same one a little later. */
  | "behind"
  /** The server does not know the function: it is not asked for it again. */
  | "unknown-function"
  /** The server received more queries than it allows: fewer from now on, and another server. */
  | "limited"
  /** The server refuses the query: true if a second one does too. */
  | "refused"
  /** A proof does not hold: quarantine, and another server. */
  | "lying";

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

/** What an error says; undefined if it is neither the server's nor the query's, such as a cancellation or a fault of this program. */
export function faultOf(error: unknown): LiteFault | undefined {
  if (!(error instanceof LiteError)) return undefined;
  const kinds = { unavailable: "broken", protocol: "broken", timeout: "silent", proof: "lying" } as const;
  return error.kind === "refused" ? (faults[error.code ?? 0] ?? "troubled") : kinds[error.kind];
}

/**
 * The error of a read that no server could answer, from those of the servers: their refusal if those that answered agree, since a
 * connection that ended says nothing of the query; "timeout" if one of them took too long, since it may answer next time; otherwise
 * "unavailable".
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
  const isSlow = (error: LiteError) => faultOf(error) === "silent" || [652, 653, -503].includes(error.code ?? 0);
  const kind = errors.some(isSlow) ? "timeout" : "unavailable";
  return new LiteError(kind, `${name}: no lite server gave a valid answer, the last error is: ${last.message}`, options);
}
