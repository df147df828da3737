import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import { type Members, membersOf } from "./members.ts";

/** A documented pair of request and answer. */
export interface Documented {
  operationId: string;
  condition: string;
  request: {
    method: string;
    path: string;
    query: Record<string, string>;
    /** By lower-case name. */
    headers: Record<string, string>;
    body?: unknown;
  };
  response: { status: number; body: { result?: unknown } };
  /** What the request says, apart from how it writes it. */
  members: Members;
}

/** Every documented pair, in the order of the contract. */
export const documented: readonly Documented[] = examples.map(({ request, ...example }) => {
  const query = texts(request.query);
  return {
    ...example,
    request: { ...request, query, headers: texts(request.headers, (name) => name.toLowerCase()) },
    members: membersOf({ query, body: request.body }),
  };
});

/** The pairs of an operation that succeed, the most typical first. */
export function successes(operationId: string): readonly Documented[] {
  return documented.filter((one) => one.operationId === operationId && one.response.status < 300);
}

// The contract lists successes before failures. Of several pairs with the same request the first is the answer, and the others are
// reached by Prefer.
const byRequest = Map.groupBy(documented, ({ operationId, members }) => keyOf(operationId, members));

/** The pair whose request says the same; one that has headers as well is meant only where they were sent. */
export function documentedFor(operationId: string, members: Members, headers: Record<string, string>): Documented | undefined {
  const same = byRequest.get(keyOf(operationId, members)) ?? [];
  const sent = ({ request }: Documented): boolean =>
    Object.entries(request.headers).every(([name, value]) => headers[name] === value);
  const special = same.find((one) => Object.keys(one.request.headers).length > 0 && sent(one));
  return special ?? same.find(sent);
}

/** One text for all spellings of a request. */
export function keyOf(operationId: string, members: Members): string {
  const sorted = Object.entries(members).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `${operationId} ${sorted.map(([name, value]) => `${name}=${value}`).join("&")}`;
}

function texts(values: object, rename = (name: string): string => name): Record<string, string> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [rename(name), String(value)]));
}
