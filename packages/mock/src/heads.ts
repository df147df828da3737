/** The head of the mock's chain, on which it stands still (D-51), and which responses may be stored (D-52). */
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { operationsById } from "@chain-query/openapi/operations";
import { type ApiRequest, type ApiResponse, failure, operationsOf, type Responder } from "./responses/exchange.ts";

const head = Number(Object(operationsById.getMasterchainInfo.examples[0]?.response.body["result"]).last.seqno);

/** Seconds that a request waits at most: no next block comes, and tests should not take longer. */
const longestWait = 1;
const highest = 2 ** 32 - 1;

/**
 * Applies chain-min-head and `Prefer: wait` before a responder. A wait for a later block ends as in a service whose chain stands still, but
 * after a second.
 */
export function withHead(respond: Responder, closing: AbortSignal): Responder {
  return async (request) => {
    const operation = operationIn(request);
    const { "chain-min-head": named, prefer = "" } = request.headers;
    if (operation === undefined) return respond(request);
    if (named !== undefined && !(/^\d{1,10}$/.test(named) && Number(named) <= highest)) {
      const { status, headers, body } = failure(422, `chain-min-head: expected an integer from 0 to ${highest}`);
      return { status, headers, body: { ...(body as object), input: "chain-min-head" } };
    }
    const [, seconds] = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[,;]|$)/i.exec(prefer) ?? [];
    const isForNext = named === undefined && operation.id === "getMasterchainInfo";
    const isBehind = named !== undefined && Number(named) > head;
    const applied = seconds !== undefined && (named !== undefined || isForNext) ? { "preference-applied": "wait" } : {};
    if (seconds !== undefined && (isBehind || isForNext))
      await sleep(Math.min(Number(seconds), longestWait) * 1000, undefined, { signal: closing }).catch(() => undefined);
    if (isBehind) {
      const advice = "ask again, or wait for it with Prefer: wait=10";
      const error = `the head of this node is ${head}, below the ${named} of chain-min-head; ${advice}`;
      const { status, body } = failure(503, error);
      return { status, headers: { "retry-after": "1", ...applied }, body: { ...(body as object), reason: "behind" } };
    }
    const response = await respond(request);
    return { ...response, headers: { ...applied, ...response.headers } };
  };
}

/** Adds the head to a response that may not be stored, and `cache-control` to each; a 304 if the caller has the response already. */
export function withCaching(request: ApiRequest, response: ApiResponse): ApiResponse {
  const operation = operationIn(request);
  if (operation === undefined || response.status === 0) return response;
  if (!isStorable(request, response)) {
    return { ...response, headers: { "cache-control": "no-store", "chain-head": String(head), ...response.headers } };
  }
  const etag = `"${createHash("sha256").update(JSON.stringify(response.body)).digest("base64url").slice(0, 22)}"`;
  const headers = {
    "cache-control": "public, max-age=86400, stale-while-revalidate=604800",
    vary: "Prefer, chain-min-head, Accept-Encoding",
    etag,
  };
  const known = request.headers["if-none-match"]?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
  if (known.includes("*") || known.includes(etag)) return { status: 304, headers, body: undefined };
  return { ...response, headers: { ...response.headers, ...headers } };
}

function operationIn({ method, path }: ApiRequest): ReturnType<typeof operationsOf>[number] | undefined {
  return operationsOf(path).find((operation) => operation.method === (method === "HEAD" ? "GET" : method));
}

/** A located transaction; a page from a cursor that is full, or the last one of a history. */
function isStorable({ method, query, headers, path }: ApiRequest, { status, body }: ApiResponse): boolean {
  if (status !== 200 || method === "POST" || headers["prefer"] !== undefined || headers["chain-min-head"] !== undefined)
    return false;
  if ("api_key" in query) return false;
  if (path === operationsById.tryLocateResultTx.path) return true;
  if (path !== operationsById.getTransactionsStd.path || query["lt"] === undefined) return false;
  const { transactions = [], previous_transaction_id: previous } = Object(body)["result"] ?? {};
  return transactions.length >= Number(query["limit"] ?? 10) || previous?.lt === "0";
}
