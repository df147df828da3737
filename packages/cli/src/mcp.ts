/** An MCP server on stdin and stdout: a read-only tool for each operation of the contract, and a walk over transactions. */
import { readFileSync } from "node:fs";
import { ApiError, type ChainClient, ChainQueryError, type ErrorCode, messageText } from "@chain-query/client";
import { type Input, operations } from "@chain-query/openapi/operations";
import type { Transaction } from "@chain-query/types";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import { callOperation, memberName } from "./program.ts";

/** Bytes of a tool's text at most: models pay for each. */
const MOST_BYTES = 2_048;
/** Characters of a text in a result. Longer ones are cells in base64, of which a model reads the length only. */
const MOST_CHARACTERS = 200;
/** Results of which parts are kept, the newest ones. */
const MOST_KEPT = 32;

const correct = "Correct the input and call again.";
/** What a caller can do about an error. */
const advice: Partial<Record<ErrorCode, string>> = {
  INVALID_ARGUMENT: correct,
  BAD_REQUEST: correct,
  AUTHENTICATION: "The user has to set CHAIN_API_KEY to a key of this deployment.",
  NOT_FOUND: "Check the inputs. What is new may be found a few seconds later.",
  RATE_LIMIT: "Call again a few seconds later, or with a key in CHAIN_API_KEY.",
  SERVER: "Call again later. For old transactions, set archival to true.",
  CONNECTION: "The user has to check the URL and the network.",
};

/** A walk over an account, described like an operation. */
const walkTool = {
  id: "walkTransactions",
  summary: "List the transactions of an account in short form, newest first, as many as fit",
  description: "Continue with the cursor.",
  inputs: [{ name: "address", kind: "address", required: true, schema: {}, description: "Address of the account." }],
} as const;

const cursor = { type: "string", description: "Continues a cut result." };
/** The tools of operations, with names, texts and schemas of the contract, and the walk. */
export const tools: readonly Tool[] = [...operations, walkTool].map(({ id: name, summary, description, inputs }): Tool => {
  const required = inputs.flatMap((input) => (input.required ? [input.name] : []));
  // The client checks bounds and forms, so models need only what the description says.
  const typeOf = ({ schema, kind }: Pick<Input, "schema" | "kind">) =>
    schema.type === "integer" || kind === "boolean" ? schema.type : "string";
  const members = inputs.map((input) => [input.name, { type: typeOf(input), description: input.description }]);
  const inputSchema = { type: "object" as const, properties: { ...Object.fromEntries(members), cursor }, required };
  const annotations = { readOnlyHint: true, openWorldHint: true };
  return { name, description: `${summary}. ${description}`, inputSchema, annotations };
});

/** Serves the tools until stdin ends or `signal` is aborted. */
export async function serveTools(chain: ChainClient, signal: AbortSignal): Promise<void> {
  const { version }: { version: string } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const server = new Server({ name: "chain-query", version }, { capabilities: { tools: {} } });
  const call = toolCaller(chain);
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...tools] }));
  server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: inputs = {} } }, extra) =>
    call(name, inputs, AbortSignal.any([signal, extra.signal])),
  );
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.once("end", resolve);
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await server.connect(new StdioServerTransport());
  await closed;
  await server.close();
}

type Inputs = Readonly<Record<string, unknown>>;

/** Calls tools. Results that are longer than a part are kept under their cursor. */
export function toolCaller(chain: ChainClient) {
  const kept = new Map<string, string>();
  let count = 0;

  /** The first part of a text, and the cursor of the rest. */
  function firstPart(text: string): string {
    if (Buffer.byteLength(text) <= MOST_BYTES) return text;
    const cursor = `part-${++count}`;
    const part = startOf(text, MOST_BYTES - 64);
    kept.set(cursor, text.slice(part.length));
    for (const oldest of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(oldest);
    return `${part}\n[cut; the rest: cursor "${cursor}"]`;
  }

  async function textOf(name: string, { cursor, ...inputs }: Inputs, signal: AbortSignal): Promise<string> {
    // Of any tool: one line of a walk may be longer than a part.
    const rest = kept.get(String(cursor));
    if (rest !== undefined) return rest;
    if (name === walkTool.id) return walk(chain, String(inputs["address"] ?? ""), cursor, signal);
    if (cursor !== undefined)
      throw new RangeError(`the cursor ${JSON.stringify(cursor)} is unknown or too old: call again without it`);
    const members = Object.entries(inputs).map(([wire, value]) => [memberName(wire), value]);
    return JSON.stringify(await callOperation(chain, name, Object.fromEntries(members), signal), shortened);
  }

  return async (name: string, inputs: Inputs, signal: AbortSignal): Promise<CallToolResult> => {
    try {
      return { content: [{ type: "text", text: firstPart(await textOf(name, inputs, signal)) }] };
    } catch (error) {
      return { isError: true, content: [{ type: "text", text: startOf(describe(error), MOST_BYTES) }] };
    }
  };
}

function describe(error: unknown): string {
  if (!(error instanceof ChainQueryError)) return error instanceof Error ? error.message : String(error);
  const reason = error instanceof ApiError && error.reason !== undefined ? ` (${error.reason})` : "";
  return [`${error.code}${reason}: ${error.message}`, advice[error.code] ?? []].flat().join("\n");
}

/** The longest start of a text that has at most so many bytes. */
function startOf(text: string, bytes: number): string {
  const start = Buffer.from(text).subarray(0, bytes).toString();
  return start.endsWith("\uFFFD") ? start.slice(0, -1) : start;
}

const shortened = (_name: string, value: unknown): unknown =>
  typeof value === "string" && value.length > MOST_CHARACTERS ? `${value.slice(0, 40)}… (${value.length} characters)` : value;

/** One line a transaction, newest first, and the cursor of the next ones. */
async function walk(chain: ChainClient, address: string, cursor: unknown, signal: AbortSignal): Promise<string> {
  const [, lt = "", hash = ""] = /^(\d+):(\S+)$/.exec(String(cursor)) ?? [];
  if (cursor !== undefined && lt === "")
    throw new RangeError(`the cursor ${JSON.stringify(cursor)} is not from an earlier result`);
  const from = cursor === undefined ? {} : { cursor: { lt, hash, exclusive: true } };
  const lines: string[] = [];
  let [bytes, last] = [0, ""];
  for await (const transaction of chain.transactions({ address, pageSize: 20, ...from }, { signal })) {
    const line = JSON.stringify(shortForm(transaction), shortened);
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > MOST_BYTES - 128 && lines.length > 0) return [...lines, `[more: cursor "${last}"]`].join("\n");
    lines.push(line);
    last = `${transaction.transaction_id.lt}:${transaction.transaction_id.hash}`;
  }
  return [...lines, "[the end of the history]"].join("\n");
}

function shortForm({ transaction_id: { lt, hash }, utime, fee, in_msg, out_msgs }: Transaction): object {
  const partOf = (message: Transaction["out_msgs"][number]) => ({ value: message.value, text: messageText(message) });
  return {
    ...{ lt, hash, utime, fee },
    in: in_msg && { from: in_msg.source.account_address, ...partOf(in_msg) },
    out: out_msgs.slice(0, 4).map((message) => ({ to: message.destination.account_address, ...partOf(message) })),
    more_out: out_msgs.length > 4 ? out_msgs.length - 4 : undefined,
  };
}
