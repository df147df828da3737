/** The head of the mock's chain, on which it stands still (D-51), and which responses may be stored (D-52). */
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { behindText, hasTag, lowestHead, preferencesIn, storableHeaders } from "@chain-query/openapi/heads";
import { operationsById } from "@chain-query/openapi/operations";
import { extraOf, parseRequest, withExtra } from "@chain-query/openapi/responses";
import { type ApiRequest, type ApiResponse, failure, operationsOf, type Responder, sentIn } from "./responses/exchange.ts";
import { withProof } from "./responses/proofs.ts";

const head = Number(Object(operationsById.getMasterchainInfo.examples[0]?.response.body["result"]).last.seqno);

/** Seconds that a request waits at most: no next block comes, and tests should not take longer. */
const longestWait = 1;

/**
 * Applies chain-min-head and `Prefer: wait` before a responder, and `Prefer: proof` after it. A wait for a later block ends as in a
 * service whose chain stands still, but after a second.
 */
export function withHead(respond: Responder, closing: AbortSignal): Responder {
  return async (request) => {
    const operation = operationIn(request);
    const { "chain-min-head": named, prefer } = request.headers;
    const isAsked = named !== undefined || prefer !== undefined;
    if (operation === undefined || request.error !== undefined || !isAsked) return respond(request);
    const { sent, place, extra } = sentIn(request, operation);
    const isRead =
      parseRequest(operation.id, sent, place).problems.length === 0 && ["undefined", "string"].includes(typeof extra);
    // An invalid request is refused as such, before its head.
    if (!isRead) return respond(request);
    const refuse = (...about: Parameters<typeof failure>) => withExtra(extraOf({ "@extra": extra }), failure(...about));
    let lowest: number | undefined;
    try {
      lowest = lowestHead(named);
    } catch (error) {
      return refuse(422, String((error as RangeError).message), {}, "chain-min-head");
    }
    const { wait: seconds } = preferencesIn(prefer);
    const isForNext = lowest === undefined && operation.id === "getMasterchainInfo";
    const applied = seconds !== undefined && (lowest !== undefined || isForNext) ? { "preference-applied": "wait" } : {};
    const unreached = lowest !== undefined && lowest > head ? lowest : undefined;
    if (seconds !== undefined && (unreached !== undefined || isForNext))
      await sleep(Math.min(seconds, longestWait) * 1000, undefined, { signal: closing }).catch(() => undefined);
    if (unreached !== undefined) {
      const response = refuse(503, behindText(head, unreached), { "retry-after": "1", ...applied });
      return { ...response, body: { ...(response.body as object), reason: "behind" } };
    }
    const response = await respond(request);
    return withProof(operation, request, { ...response, headers: { ...applied, ...response.headers } });
  };
}

/** Adds `cache-control` to a response, and the head to one that may not be stored; a 304 if the caller has the response already. */
export function withCaching(request: ApiRequest, response: ApiResponse): ApiResponse {
  if (response.status === 0) return response;
  const isRead = operationIn(request) !== undefined || request.converted !== undefined;
  const changing = { "cache-control": "no-store", ...(isRead && { "chain-head": String(head) }) };
  if (!isStorable(request, response)) return { ...response, headers: { ...changing, ...response.headers } };
  const etag = `"${createHash("sha256").update(JSON.stringify(response.body)).digest("base64url").slice(0, 22)}"`;
  const headers = { ...storableHeaders, etag };
  if (hasTag(request.headers["if-none-match"], etag)) return { status: 304, headers, body: undefined };
  return { ...response, headers: { ...response.headers, ...headers } };
}

function operationIn({ method, path }: ApiRequest): ReturnType<typeof operationsOf>[number] | undefined {
  return operationsOf(path).find((operation) => operation.method === (method === "HEAD" ? "GET" : method));
}

/** A located transaction; a page from a cursor that is full, or the last one of a history. */
function isStorable({ method, query, headers, path, converted }: ApiRequest, { status, body }: ApiResponse): boolean {
  if (
    status !== 200 ||
    method === "POST" ||
    converted !== undefined ||
    headers["prefer"] !== undefined ||
    headers["chain-min-head"] !== undefined
  )
    return false;
  if ("api_key" in query) return false;
  if (path === operationsById.tryLocateResultTx.path) return true;
  if (path !== operationsById.getTransactionsStd.path || query["lt"] === undefined) return false;
  const { transactions = [], previous_transaction_id: previous } = Object(body)["result"] ?? {};
  return transactions.length >= Number(query["limit"] ?? 10) || previous?.lt === "0";
}
