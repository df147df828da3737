#!/usr/bin/env node
/** Runs a command: calls its operation and prints the result, or the error with its exit code. */
import { ApiError, ChainQueryError, createClient, type ErrorCode, watchTransactions } from "@chain-query/client";
import { listenForInterrupt, runProgram } from "@chain-query/command-line";
import { callOperation, completionScript, type Given, parseArguments } from "./program.ts";
import { tableOf } from "./table.ts";

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

const { stdout, stderr } = process;

/** Runs a command and resolves to its exit code. `signal` is aborted by Ctrl-C, and when the output has no reader. */
async function run({ command, url, watch, ...inputs }: Given, signal: AbortSignal): Promise<number> {
  if (command === "completion") {
    stdout.write(completionScript(String(inputs["shell"])));
    return 0;
  }
  const print = (value: unknown) => stdout.write(`${stdout.isTTY ? tableOf(value, stdout.columns) : JSON.stringify(value)}\n`);
  try {
    // Not an option: other users of the machine can see arguments.
    const apiKey = process.env["CHAIN_API_KEY"];
    const chain = createClient({ baseUrl: String(url), ...(apiKey && { apiKey }) });
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
}

function report(error: unknown): void {
  stderr.write(`chain-query: ${error instanceof Error ? error.message : String(error)}\n`);
}

await runProgram("chain-query", parseArguments, async (command) => {
  const interrupt = listenForInterrupt();
  // A watch ends with the reader of its output, such as `head`, or when its output cannot be written.
  const unread = new AbortController();
  stdout.once("error", () => unread.abort());
  const code = await run(command, AbortSignal.any([interrupt.signal, unread.signal]));
  interrupt.release();
  return interrupt.exitCode ?? code;
});
