/** Runs a command: calls its operation and prints the result, or the error with its exit code. */
import { ApiError, ChainQueryError, type ErrorCode, watchTransactions } from "@chain-query/client";
import { callOperation, connect } from "./call.ts";
import { completionScript } from "./completion.ts";
import type { Given } from "./program.ts";
import { tableOf } from "./table.ts";

/** The part of the process that the commands use. */
export interface Terminal {
  readonly stdout: { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

/** Exit codes by the error of the client; 75 is EX_TEMPFAIL of sysexits.h. All others are 1. */
const exitCodes: Partial<Record<ErrorCode, number>> = {
  INVALID_ARGUMENT: 2,
  BAD_REQUEST: 2,
  AUTHENTICATION: 3,
  NOT_FOUND: 4,
  RATE_LIMIT: 75,
  SERVER: 75,
  CONNECTION: 75,
  TIMEOUT: 75,
};

/** Runs a command and resolves to its exit code. `signal` is aborted by Ctrl-C, and when the output has no reader. */
export async function run(
  { command, url, watch, ...inputs }: Given,
  { stdout, stderr }: Terminal,
  signal: AbortSignal,
): Promise<number> {
  if (command === "completion") {
    stdout.write(completionScript(String(inputs["shell"])));
    return 0;
  }
  // Some terminals report a width of 0.
  const print = (value: unknown) =>
    stdout.write(`${stdout.isTTY ? tableOf(value, stdout.columns || 80) : JSON.stringify(value)}\n`);
  try {
    const chain = connect(String(url));
    if (command === "mcp") {
      const { serveTools } = await import("./mcp.ts");
      await serveTools(chain, signal);
    } else if (watch) {
      const { address, lt, hash, archival } = inputs;
      const from = lt === undefined ? undefined : { lt: String(lt), hash: String(hash) };
      const options = { from, archival: archival === true, signal, onError: report };
      for await (const transaction of watchTransactions(chain, String(address), options)) print(transaction);
    } else {
      // A switch that is not set is left out: the contract's default may be another.
      const given = Object.entries(inputs).filter(([, value]) => value !== false);
      print(await callOperation(chain, command, Object.fromEntries(given), signal));
    }
    return 0;
  } catch (error) {
    if (!(error instanceof ChainQueryError)) throw error;
    if (signal.aborted) return 0;
    report(error);
    // A URL that is not the API's is no missing block.
    return error instanceof ApiError && error.reason === "unknown_path" ? 1 : (exitCodes[error.code] ?? 1);
  }

  function report(error: unknown): void {
    stderr.write(`chain-query: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}
