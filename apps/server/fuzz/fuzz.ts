/** Sends generated invalid requests, the same ones for the same seed, and checks the responses against the contract. */
import { operationIds, validateBody } from "@chain-query/conformance";
import { operations } from "@chain-query/openapi/operations";
import fc from "fast-check";
import { type Attack, draftOf, type ValidRequest } from "./attack.ts";
import { type Client, createClient, type HttpResponse } from "./client.ts";
import { attacksFrom } from "./mutations.ts";

/** The requests to send. */
interface FuzzPlan {
  readonly url: string;
  /** The valid requests that are changed. */
  readonly valid: readonly ValidRequest[];
  readonly seed: number;
  readonly count: number;
  /** Number of concurrent clients. */
  readonly clients: number;
  /** The index of the first request to send; earlier ones are only generated. */
  readonly from?: number;
}

/** The result. */
interface FuzzReport {
  readonly sent: number;
  /** Number of responses by status. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly faults: readonly Fault[];
}

/** A wrong response. */
interface Fault {
  /** Identifies the request, together with the seed. */
  readonly index: number;
  readonly what: string;
  /** The beginning of the request. */
  readonly request: string;
}

const batch = 500;
const maxFaults = 20;
const probeEvery = 8;

/** Sends the requests. */
export async function fuzz({ url, valid, seed, count, clients, from = 0 }: FuzzPlan): Promise<FuzzReport> {
  const port = Number(new URL(url).port);
  const attacks = attacksFrom(valid.map(draftOf));
  const statuses = new Map<number, number>();
  const faults: Fault[] = [];

  const attackWith = async (client: Client, attack: Attack, index: number): Promise<void> => {
    try {
      const { responses } = await client.send(attack);
      for (const response of responses) {
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        const what = faultIn(attack, response);
        if (what !== undefined) faults.push(faultOf(index, attack, `${response.status}: ${what}`));
      }
      if (attack.isComplete && index % probeEvery === 0) await probe(client, `probe ${index}`);
    } catch (error) {
      faults.push(faultOf(index, attack, error instanceof Error ? error.message : String(error)));
    }
  };

  const pool = Array.from({ length: clients }, () => createClient(port));
  let sent = 0;
  for (let start = Math.floor(from / batch) * batch; start < from + count && faults.length < maxFaults; start += batch) {
    const made = fc.sample(attacks, { seed: seed + start, numRuns: batch });
    const wanted = made
      .map((attack, index) => ({ attack, index: start + index }))
      .filter(({ index }) => index >= from && index < from + count);
    const queue = wanted.values();
    const work = async (client: Client): Promise<void> => {
      for (const { attack, index } of queue) await attackWith(client, attack, index);
    };
    await Promise.all(pool.map(work));
    sent += wanted.length;
  }
  for (const client of pool) client.close();
  return { sent, statuses, faults };
}

/** Checks that the next request on the connection gets its own response. */
async function probe(client: Client, name: string): Promise<void> {
  const path = `/api/v2/getMasterchainInfo?${new URLSearchParams({ "@extra": name })}`;
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\nhost: fuzz\r\n\r\n`);
  const { responses } = await client.send({ pieces: [request], isComplete: true, method: "GET", path: "" });
  const body: unknown = JSON.parse(responses[0]?.body.toString() ?? "null");
  if (typeof body !== "object" || body === null || !("@extra" in body) || body["@extra"] !== name) {
    throw new Error(`the next request got the response ${JSON.stringify(body)}`);
  }
}

const previewLength = 1000;

function faultOf(index: number, { pieces }: Attack, what: string): Fault {
  const request = JSON.stringify(Buffer.concat(pieces).toString("latin1", 0, previewLength));
  return { index, what, request };
}

const json = "application/json; charset=utf-8";
/** What errors must not contain: folders, source files, stacks. No attack contains any of it. */
const internals =
  /\/(?:tmp|home|root|usr|work|var|opt)\/|node_modules|node:internal|\.(?:ts|js|mjs|mdb)\b|\bat [\w.<>]+ \(|Error:/;
const statuses = new Set([
  200, 204, 206, 301, 302, 304, 308, 400, 401, 403, 404, 405, 408, 412, 413, 414, 415, 416, 422, 429, 431,
]);

/** The fault of a response by the contract and the pages of the service; undefined if it is correct. */
function faultIn({ path, method }: Attack, { status, headers, body }: HttpResponse): string | undefined {
  if (headers.get("access-control-allow-origin") !== "*") return "it has no access-control-allow-origin";
  const text = body.toString("utf8");
  if (!statuses.has(status) && !(status === 500 && text.includes("use archival=true to reach it")))
    return `its status is ${status}`;
  if (method === "HEAD" || body.length === 0) return status >= 400 && method !== "HEAD" ? "its failure has no body" : undefined;
  if (status >= 400) return faultInFailure(status, headers, text);
  if (headers.get("content-type") !== json) return undefined;
  return faultInSuccess(path, method, parsed(text));
}

function faultInFailure(status: number, headers: HttpResponse["headers"], text: string): string | undefined {
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
