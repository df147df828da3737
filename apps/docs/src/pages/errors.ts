/** Makes the catalogue of errors: the codes of the client, to which its errors link, and the statuses of the API. */
import * as client from "@chain-query/client";
import { apiFailure, fakeFetch } from "@chain-query/client/testing";
import { type Operation, operations } from "@chain-query/openapi/operations";
import type { LinkNames } from "../markdown/links.ts";
import { comments } from "./client.ts";
import { type MarkdownPage, markdownPage } from "./markdown-page.ts";

/** Path of the page. The errors of the client contain it. */
const path = "errors/";

/** Advice for each code of the client. */
export const advice: Readonly<Record<string, string>> = {
  CHAIN_QUERY: "Catch it to tell errors of the client from those of your own code. No error has this code itself.",
  API: "Read `status`, `reason` and `message`. Errors of the usual statuses have codes of their own, listed below.",
  BAD_REQUEST: "Fix the input that `input` names, or the message if it is absent. The same request fails again.",
  AUTHENTICATION:
    "Check that the key is complete, that it belongs to this deployment and this network, and that `apiKey` returns it. See [Keys and limits](keys-and-limits.md#with-a-key).",
  NOT_FOUND:
    "If it may still appear, retry with a deadline. See [why there may be no result](following-a-message.md#why-there-may-be-no-result).",
  RATE_LIMIT:
    "The client has waited and retried already. Send fewer requests, let your clients share one limiter, or use a key. See [Keys and limits](keys-and-limits.md).",
  SERVER:
    "Try again later. If it persists, give the operator `message` and `requestId`, if there is one. See [Report an error](errors-and-retries.md#report-an-error).",
  CONNECTION:
    "`cause` is the error of `fetch`. Check that the service runs and that `baseUrl` has the right host and port. In a browser, a service that does not allow your origin (CORS) looks the same: the console of the browser says so.",
  TIMEOUT:
    "Raise `timeoutMs` for one attempt or `deadlineMs` for the whole call, if the service is slow. See [Timeouts](errors-and-retries.md#timeouts).",
  ABORTED: "Nothing to fix: your signal ended the call. `cause` is the reason that you passed to `abort()`.",
  PARSE:
    "A proxy between you and the service responded, or `baseUrl` points to another server. The message shows the URL and how the response begins. Check `baseUrl`: it ends before `/api/v2`. A body that is not complete was cut off on its way: try again, and raise the limits of the proxy.",
  RESPONSE_VALIDATION:
    "`issues` lists the differences from the contract. Report them to the operator; [the conformance test](conformance.md) finds them as well.",
  INVALID_ARGUMENT: "Fix the argument that the message names. No request was sent.",
};

const followed = "See [why there may be no result](site:guides/following-a-message/#why-there-may-be-no-result).";

/** Advice for NOT_FOUND by operation. */
const notFoundAdvice: Readonly<Record<string, string>> = {
  lookupBlock:
    "If the block may still come, ask again after the next block, until a deadline. Otherwise compare workchain and shard with those of [getOutMsgQueueSize](operation:getOutMsgQueueSize).",
  tryLocateResultTx: `If \`reason\` is \`message_pending\`, ask again later. Otherwise compare the values with \`out_msgs\` of the transaction that sent it. ${followed}`,
  tryLocateSourceTx: `Compare the values with \`in_msg\` of the transaction that received the message. No transaction sent a message whose \`source\` is empty. ${followed}`,
};

/** Advice for a code on the page of an operation. */
export function adviceFor({ id, inputs }: Operation, code: string): string | undefined {
  if (code === "NOT_FOUND") return notFoundAdvice[id] ?? advice[code];
  const isArchival = code === "SERVER" && inputs.some(({ name }) => name === "archival");
  return isArchival ? `For old transactions, pass \`archival: true\`. ${advice[code]}` : advice[code];
}

/** The reaction of the client to a status. */
export interface Handling {
  code: string;
  retries: boolean;
}

/** The reactions of the client to all statuses of failures in the contract, found by calls. */
export async function handledStatuses(): Promise<ReadonlyMap<string, Handling>> {
  const statuses = [...new Set(operations.flatMap(({ responses }) => responses.map(({ status }) => status)))]
    .filter((status) => Number(status) >= 400)
    .sort();
  return new Map(await Promise.all(statuses.map(async (status) => [status, await handlingOf(Number(status))] as const)));
}

/** Makes the page. */
export function errorsPage(handled: ReadonlyMap<string, Handling>, names: LinkNames): MarkdownPage {
  const codes = errorClasses();
  const statuses = [...handled.keys()];
  const text = [
    "# Error catalogue",
    "Every error of the client by its `code`, and every failure of the API by its status, with their meaning and advice. `error.docs` links to the entry.",
    "## Codes of the client",
    ...[...codes].map(([name, code]) => {
      const own = statuses.filter((status) => handled.get(status)?.code === code);
      return codeText(name, code, own);
    }),
    "## Statuses of the API",
    "A failure has `ok: false`, a human-readable message in `error`, its status in `code`, and why it failed in `reason`. The texts are examples, and may change; statuses and reasons do not.",
    ...statuses.map((status) => statusText(status, handled.get(status))),
    "### Other statuses",
    othersText(),
    "",
  ].join("\n\n");
  const isCode = new Set(codes.values());
  const idOf = (heading: string): string | undefined => (isCode.has(heading) ? heading : undefined);
  return markdownPage({ text, file: "src/pages/errors.ts", path, idOf }, names);
}

/** The codes of the client by the names of their classes, those of base classes last. */
function errorClasses(): Map<string, string> {
  const classes = Object.entries<unknown>({ ...client }).flatMap(([name, value]): [string, string, number][] => {
    const code = typeof value === "function" && value.prototype instanceof Error ? Reflect.get(value, "code") : undefined;
    return typeof code === "string" ? [[name, code, depthOf(value)]] : [];
  });
  return new Map(classes.toSorted((a, b) => b[2] - a[2]).map(([name, code]) => [name, code]));
}

function depthOf(value: unknown): number {
  const parent: unknown = Object.getPrototypeOf(value);
  return parent === null ? 0 : 1 + depthOf(parent);
}

/** The reaction of the client to a status, found by a call. */
async function handlingOf(status: number): Promise<Handling> {
  const fetch = fakeFetch({ getConsensusBlock: apiFailure(status) });
  const retry = { maxRetries: 1, baseDelayMs: 0 };
  const chain = client.createClient({ baseUrl: "http://node.test", fetch, retry, rateLimit: false });
  const result = await chain.getConsensusBlock().safe();
  if (result.ok || !(result.error instanceof client.ChainQueryError)) throw new Error(`expected an error for status ${status}`);
  return { code: result.error.code, retries: result.error.attempts > 1 };
}

function codeText(name: string, code: string, statuses: readonly string[]): string {
  const links = statuses.map((status) => `[${status}](#${status})`).join(", ");
  return [
    `### ${code}`,
    `[\`${name}\`](client:${name}): ${comments.get(name) ?? ""}`,
    ...(advice[code] === undefined ? [] : [advice[code]]),
    ...(links === "" ? [] : [`Statuses: ${links}.`]),
  ].join("\n\n");
}

function statusText(status: string, handling: Handling | undefined): string {
  const found = operations.flatMap(({ id, responses }) =>
    responses.filter((response) => response.status === status).map((response) => ({ id, ...response })),
  );
  const [first] = found;
  const descriptions = [...new Set(found.map(({ description }) => description))];
  const list = found.map(({ id, description }) => `- [\`${id}\`](operation:${id}): ${description}`);
  const headers = Object.entries(first?.headers ?? {}).map(([name, { description }]) => `- \`${name}\`: ${description}`);
  return [
    `### ${status}`,
    found.length === operations.length ? descriptions.join(" ") : list.join("\n"),
    `In the client: [\`${handling?.code}\`](#${handling?.code}), ${handling?.retries ? "after retries" : "without a retry"}.`,
    ...(headers.length === 0 ? [] : [`Headers:\n\n${headers.join("\n")}`]),
    messagesText(found.flatMap(({ examples }) => Object.values(examples ?? {}))),
  ].join("\n\n");
}

function othersText(): string {
  const others = operations.flatMap(({ responses }) => responses.filter(({ status }) => status === "default"));
  return [
    [...new Set(others.map(({ description }) => description))].join(" "),
    "A proxy in between may send 408, 502 or 503, which the client retries, or 413 and 415 for a body that is too large or not JSON ([D-45](decision:D-45)).",
    messagesText(others.flatMap(({ examples }) => Object.values(examples ?? {}))),
  ].join("\n\n");
}

/** The different texts of examples, as a table. */
function messagesText(examples: readonly { summary: string; value: unknown }[]): string {
  const rows = new Map(examples.map(({ summary, value }) => [String(Reflect.get(Object(value), "error")), summary]));
  const lines = [...rows].map(([error, summary]) => `| \`${error}\` | ${summary} |`);
  return ["| `error` | example |", "| --- | --- |", ...lines].join("\n");
}
