/** Finds the operation of a request. */
import { type Operation, operations } from "@chain-query/openapi/operations";
import { type ApiRequest, Refusal } from "./exchange.ts";

const byPath = Map.groupBy(operations, ({ path }) => path);

/** The methods of a path; empty if the contract does not have it. */
export function methodsOf(path: string): string[] {
  return (byPath.get(path) ?? []).flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
}

/** @throws Refusal with 404 or 405 if no operation has this path and method. */
export function findOperation({ method, path }: Pick<ApiRequest, "method" | "path">): Operation {
  const found = byPath.get(path)?.find((one) => one.method === (method === "HEAD" ? "GET" : method));
  if (found !== undefined) return found;
  const methods = methodsOf(path);
  if (methods.length === 0) throw new Refusal(404, `the contract has no path ${path}`);
  const allow = [...methods, "OPTIONS"].join(", ");
  throw new Refusal(405, `${path} takes ${methods.join(" or ")}, not ${method}`, { allow });
}
