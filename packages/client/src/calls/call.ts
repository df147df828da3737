/** Calls of operations: one call from its request to its result, and calls that share a request. */
import { annotate } from "#checks";
import { refuse } from "../checks/rules.ts";
import { emitter } from "../hooks.ts";
import { type Operation, pathOf } from "../operations/input.ts";
import type { CallOptions } from "../options.ts";
import type { Settings } from "../read-options.ts";
import { isKey } from "../transport/key.ts";
import { createRawClient, type RawClient } from "../transport/openapi-fetch.ts";
import type { Draft, Limiter, Received, TransportSettings } from "../transport/settings.ts";
import { transmit } from "../transport/transmit.ts";
import { failure, openEnvelope } from "./envelope.ts";
import type { Completed } from "./query-promise.ts";

type Result = Promise<Completed<unknown>>;
type Call = (operation: string, about: Operation, wire: Record<string, unknown>, own: CallOptions) => Result;

interface Point {
  readonly operation: string;
  attempts: number;
}

/** Calls an operation with a checked input in wire form. */
interface Caller {
  readonly raw: RawClient;
  readonly call: Call;
}

/** Creates the caller of a client. */
export function createCaller(settings: Settings, limiter: Limiter | undefined): Caller {
  const { baseUrl, headers, hooks, middleware = [], validate } = settings;
  const emit = emitter(hooks);
  const transport: TransportSettings = { ...settings, key: keyReader(settings), limiter, emit };
  const send = async (request: Draft, own: CallOptions, point: Point): Promise<Received> => {
    const received = await transmit(request, { ...transport, ...own } as TransportSettings, point);
    // Browsers report status 0 for a redirect, and a server may send any; no Response can be made with these.
    const { status } = received.response;
    if (status < 200 || status > 599) throw failure(received, point);
    return received;
  };
  const { raw, callRaw } = createRawClient(baseUrl, headers, middleware, (request) =>
    send(request, { signal: request.signal }, { operation: request.url.replace(/.*(?=\/api\/v2)|\?.*/g, ""), attempts: 0 }),
  );

  const call: Call = async (operation, about, wire, own) => {
    const { method, members, path = pathOf(operation) } = about;
    const started = performance.now();
    const point = { operation, attempts: 0 };
    let error: unknown;
    emit?.("onCall", { call: point });
    try {
      const received = await callRaw(method, path, wire, own.headers, (request) => send(request, own, point));
      const opened = openEnvelope(received, point, validate);
      return { ...opened, ...received, attempts: point.attempts };
    } catch (caught) {
      error = caught;
      annotate(caught, members, wire);
      throw caught;
    } finally {
      emit?.("onSettled", { call: point, durationMs: performance.now() - started, error });
    }
  };
  return { raw, call };
}

/** Lets identical calls in flight share one request: GETs, and POSTs without input. Inputs in wire form have one order. */
export function shareInFlight(call: Call): Call {
  const inFlight = new Map<string, Result>();
  return (operation, about, wire, own) => {
    const input = JSON.stringify(wire);
    const begin = () => call(operation, about, wire, own);
    if (about.method === "post" && input !== "{}") return begin();
    const key = operation + input;
    const under = inFlight.get(key) ?? begin().finally(() => inFlight.delete(key));
    inFlight.set(key, under);
    return under;
  };
}

function keyReader({ apiKey }: Settings): TransportSettings["key"] {
  return async (operation) => {
    let cause: unknown;
    try {
      const key = typeof apiKey === "function" ? await apiKey() : apiKey;
      if (apiKey === undefined || isKey(key)) return key;
    } catch (thrown) {
      cause = thrown;
    }
    return refuse(operation, "apiKey must be or return visible ASCII", cause);
  };
}
