/** Checks an answer against the contract and the pages of the service. */
import { operationIds, validateBody } from "@chain-query/conformance";
import { operations } from "@chain-query/openapi/operations";
import type { Attack } from "./attack.ts";
import type { Answer } from "./client.ts";

const json = "application/json; charset=utf-8";
/** What errors must not contain: folders, source files, stacks. No attack contains any of it. */
const internals =
  /\/(?:tmp|home|root|usr|work|var|opt)\/|node_modules|node:internal|\.(?:ts|js|mjs|mdb)\b|\bat [\w.<>]+ \(|Error:/;
const statuses = new Set([
  200, 204, 206, 301, 302, 304, 308, 400, 401, 403, 404, 405, 408, 412, 413, 414, 415, 416, 422, 429, 431,
]);

/** What is wrong with an answer; undefined if it is correct. */
export function faultIn({ path, method }: Attack, { status, headers, body }: Answer): string | undefined {
  if (headers.get("access-control-allow-origin") !== "*") return "it has no access-control-allow-origin";
  const text = body.toString("utf8");
  if (!statuses.has(status) && !(status === 500 && text.includes("use archival=true to reach it")))
    return `its status is ${status}`;
  if (method === "HEAD" || body.length === 0) return status >= 400 && method !== "HEAD" ? "its failure has no body" : undefined;
  if (status >= 400) return faultInFailure(status, headers, text);
  if (headers.get("content-type") !== json) return undefined;
  return faultInSuccess(path, method, parsed(text));
}

function faultInFailure(status: number, headers: Answer["headers"], text: string): string | undefined {
  if (headers.get("content-type") !== json) return `its content type is ${headers.get("content-type")}`;
  const body = parsed(text);
  const [deviation] = validateBody("errors", body).deviations;
  if (deviation !== undefined) return `${deviation.path} is ${deviation.got}, ${deviation.expected} was expected`;
  const { code, error } = body as { code: number; error: string };
  if (code !== status) return `its code is ${code}`;
  return internals.test(error) ? `its error contains ${error}` : undefined;
}

function faultInSuccess(path: string, method: string, body: unknown): string | undefined {
  if (typeof body !== "object" || body === null) return "it is not an object";
  if (!("result" in body))
    return "paths" in body || "time" in body || Object.keys(body).join() === "ok" ? undefined : "it has no result";
  const asked = operations.find((one) => one.path === path && one.method === method)?.id;
  const possible = asked === undefined ? operationIds : [asked];
  const reports = possible.map((id) => validateBody(id, body).deviations);
  if (reports.some((deviations) => deviations.length === 0)) return undefined;
  const deviation = reports[0]?.[0];
  return `${deviation?.path} is ${deviation?.got}, ${deviation?.expected} was expected`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
