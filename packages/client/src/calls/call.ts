/** Calls of operations: one call from its request to its result, and calls that share a request. */
import { emitter } from "../hooks.ts";
import { check, keyRule, refuse } from "../operations/check.ts";
import { type Operation, pathOf } from "../operations/input.ts";
import type { CallOptions } from "../options.ts";
import type { Settings } from "../read-options.ts";
import { createRawClient, type RawClient } from "../transport/openapi-fetch.ts";
import type { Draft, Limiter, TransportSettings } from "../transport/settings.ts";
import { transmit } from "../transport/transmit.ts";
import { openEnvelope } from "./envelope.ts";
import type { WithResponse } from "./query-promise.ts";

type Result = Promise<WithResponse<unknown>>;
type Call = (operation: string, about: Operation, wire: Record<string, unknown>, own: CallOptions) => Result;

/** Calls an operation with a checked input in wire form. */
export interface Caller {
  readonly raw: RawClient;
  readonly call: Call;
}

/** Creates the caller of a client. */
export function createCaller(settings: Settings, limiter: Limiter | undefined): Caller {
  const { baseUrl, headers = {}, hooks, middleware = [], validate } = settings;
  const emit = emitter(hooks);
  const transport: TransportSettings = { ...settings, key: keyReader(settings), limiter, emit };
  const fetch = (request: Request) =>
    transmit(request, { ...transport, signal: request.signal }, { operation: new URL(request.url).pathname, attempts: 0 });
  const { raw, callRaw } = createRawClient({ baseUrl, headers, fetch }, middleware);

  const call: Call = async (operation, about, wire, own) => {
    const { method, members, path = pathOf(operation) } = about;
    const started = performance.now();
    const point = { operation, attempts: 0 };
    let sent: Draft | undefined;
    let error: unknown;
    try {
      const answer = await callRaw(method, path, wire, own.headers, (request) => {
        sent = request;
        return transmit(request, { ...transport, ...own } as TransportSettings, point);
      });
      const mayBeOld = "archival" in members && wire["archival"] !== true;
      const hint = mayBeOld ? "; archival: true may reach older history" : "";
      const opened = openEnvelope(answer, point, validate, sent?.headers.get("X-API-Key"), hint);
      return { ...opened, response: answer.response, attempts: point.attempts };
    } catch (caught) {
      error = caught;
      throw caught;
    } finally {
      emit?.("onSettled", { call: point, durationMs: performance.now() - started, error });
    }
  };
  return { raw, call };
}

/** Lets identical calls in flight share one request: GETs, and POSTs without input. */
export function shareInFlight(call: Call): Call {
  const inFlight = new Map<string, Result>();
  return (operation, about, wire, own) => {
    const key = operation + JSON.stringify(Object.entries(wire).sort());
    const begin = () => call(operation, about, wire, own);
    if (about.method === "post" && !key.endsWith("[]")) return begin();
    const under = inFlight.get(key) ?? begin().finally(() => inFlight.delete(key));
    inFlight.set(key, under);
    return under;
  };
}

function keyReader({ apiKey }: Settings): TransportSettings["key"] {
  if (typeof apiKey !== "function") {
    check("createClient", { apiKey }, { apiKey: keyRule });
    return () => apiKey;
  }
  return async (operation) => {
    try {
      const key = await apiKey();
      check(operation, { key }, { key: keyRule }, ["key"]);
      return key;
    } catch (cause) {
      return refuse(operation, "apiKey must return visible ASCII, but threw or returned something else", cause);
    }
  };
}
