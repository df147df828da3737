/** Sends each request to several services and compares the responses. */
import { operationsById } from "@chain-query/openapi/operations";
import type { ChainRequest } from "./chain-requests.ts";

/** Everything that is needed to send a request over HTTP. */
export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Two different responses. */
export interface Difference {
  readonly request: HttpRequest;
  readonly answers: readonly [string, string];
}

/** A request as HTTP. */
export function httpRequest({ operation, input }: ChainRequest): HttpRequest {
  const { method, path } = operationsById[operation];
  return method === "GET" ? { method, path, query: input } : { method, path, body: input };
}

/**
 * Sends requests to all services, eight at once, and returns the responses that differ from the first service's in status, type or body,
 * `@extra` aside. Takes the next request when an earlier one has its response.
 */
export async function differences(
  [first, ...others]: readonly [string, ...string[]],
  requests: Iterable<HttpRequest>,
): Promise<{ readonly different: readonly Difference[]; readonly statuses: Readonly<Record<string, number>> }> {
  const different: Difference[] = [];
  const statuses: Record<string, number> = {};
  const rest = requests[Symbol.iterator]();
  const sender = async (): Promise<void> => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) {
      const request = next.value;
      const [right, ...found] = await Promise.all([send(first, request), ...others.map((url) => send(url, request))]);
      for (const answer of found) if (answer !== right) different.push({ request, answers: [right, answer] });
      const status = right.slice(0, 3);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 8 }, sender));
  return { different, statuses };
}

/** Repeats a request that a busy machine did not answer in time. */
async function send(url: string, request: HttpRequest, tries = 3): Promise<string> {
  const answer = await sendOnce(url, request);
  return answer.startsWith("504") && tries > 1 ? send(url, request, tries - 1) : answer;
}

async function sendOnce(url: string, request: HttpRequest): Promise<string> {
  const response = await responseTo(url, request);
  const text = (await response.text()).replace(/"@extra":"[^"]*"/, '"@extra":""');
  return `${response.status} ${response.headers.get("content-type")} ${text}`;
}

/** Sends a request. */
export function responseTo(url: string, { method, path, query = {}, body }: HttpRequest): Promise<Response> {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]));
  return fetch(`${url}${path}?${search}`, {
    method,
    ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
}
