import examples from "@chain-query/openapi/examples.json" with { type: "json" };

/** A documented pair of request and answer. */
export interface Documented {
  operationId: string;
  condition: string;
  request: { method: string; path: string; query: Record<string, unknown>; headers: Record<string, string>; body?: unknown };
  response: { status: number; body: unknown };
}

export const documented: readonly Documented[] = examples.map(({ request: { query, headers, ...request }, ...example }) => ({
  ...example,
  request: { ...request, query: { ...query }, headers: withoutGaps(headers) },
}));

/** The first example of every operation, which is the one that answers a caller without wishes. */
export const first: readonly Documented[] = documented.filter(
  ({ operationId }, index) => documented.findIndex((other) => other.operationId === operationId) === index,
);

export function example(operationId: string, condition: string): Documented {
  const found = documented.find((one) => one.operationId === operationId && one.condition === condition);
  if (found === undefined) throw new Error(`${operationId}.${condition} is not documented`);
  return found;
}

/** Sends a documented request to a mock. */
export function ask(url: string, { request }: Documented, headers: Record<string, string> = {}): Promise<Response> {
  const query = new URLSearchParams(
    Object.entries(request.query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return fetch(`${url}${request.path}?${query}`, {
    method: request.method,
    headers: { ...request.headers, ...headers, ...(request.body === undefined ? {} : { "content-type": "application/json" }) },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
  });
}

function withoutGaps(headers: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
