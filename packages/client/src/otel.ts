/**
 * Traces and metrics for OpenTelemetry. This package does not import it: any object with the shape of its tracer and meter works.
 *
 * @example
 * ```ts
 * import { metrics, trace } from "@opentelemetry/api";
 *
 * const hooks = otelHooks({ tracer: trace.getTracer("my-app"), meter: metrics.getMeter("my-app") });
 * const chain = createClient({ baseUrl, hooks });
 * ```
 *
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-spans/ for the names of attributes
 * @module
 */
import { ChainQueryError } from "./errors.ts";
import type { Call, Hooks } from "./hooks.ts";
import type { Fetch } from "./transport/settings.ts";

/**
 * Attributes of a span, an event or a measurement.
 *
 * @example
 * ```ts
 * const attributes: Attributes = { "http.request.method": "GET", "server.port": 443 };
 * ```
 */
export type Attributes = Record<string, string | number>;

/**
 * The part of OpenTelemetry's Span that is used. Status code 2 is an error.
 *
 * @example
 * ```ts
 * const span: Span = trace.getTracer("my-app").startSpan("getMasterchainInfo"); // of @opentelemetry/api
 * ```
 */
export interface Span {
  spanContext(): SpanContext;
  addEvent(name: string, attributes: Attributes): unknown;
  setAttributes(attributes: Attributes): unknown;
  setStatus(status: { code: 2; message: string }): unknown;
  end(): void;
}

/**
 * The part of OpenTelemetry's SpanContext that is used.
 *
 * @example
 * ```ts
 * const { traceId }: SpanContext = span.spanContext();
 * ```
 */
export interface SpanContext {
  traceId: string;
  spanId: string;
  traceFlags: number;
  traceState?: { serialize(): string } | undefined;
}

/**
 * The part of OpenTelemetry's Tracer that is used. Kind 2 is a client.
 *
 * @example
 * ```ts
 * const tracer: Tracer = trace.getTracer("my-app"); // of @opentelemetry/api
 * const chain = createClient({ baseUrl, hooks: otelHooks({ tracer }) });
 * ```
 */
export interface Tracer {
  startSpan(name: string, options: { kind: 2; attributes: Attributes }): Span;
}

/**
 * The part of OpenTelemetry's API that makes a span the active one.
 *
 * @example
 * ```ts
 * import { context, trace } from "@opentelemetry/api";
 *
 * const active: ActiveSpanApi = { context, trace };
 * ```
 */
export interface ActiveSpanApi {
  context: { active(): unknown; with<Result>(context: unknown, run: () => Result): Result };
  trace: { setSpan(context: unknown, span: Span): unknown };
}

/**
 * The used part of its Meter. Records values in the unit of the histogram.
 *
 * @example
 * ```ts
 * const meter: Meter = metrics.getMeter("my-app"); // of @opentelemetry/api
 * const chain = createClient({ baseUrl, hooks: otelHooks({ tracer, meter }) });
 * ```
 */
export interface Meter {
  createHistogram(
    name: string,
    options: { description: string; unit: string; advice: { explicitBucketBoundaries: number[] } },
  ): { record(value: number, attributes: Attributes): void };
}

/**
 * The options of telemetry.
 *
 * @example
 * ```ts
 * const instruments: Instruments = { tracer: trace.getTracer("my-app"), meter: metrics.getMeter("my-app") };
 * ```
 */
export interface Instruments {
  tracer: Tracer;
  meter?: Meter | undefined;
}

/**
 * Options of `otelOptions`.
 *
 * @example
 * ```ts
 * const options: OtelOptions = { tracer, api: { context, trace }, propagate: true };
 * ```
 */
export interface OtelOptions extends Instruments {
  /** Makes the span of a call the active one while its requests are sent, so that spans of an instrumented `fetch` are its children. */
  api?: ActiveSpanApi | undefined;
  /**
   * Sends the headers `traceparent` and `tracestate` of W3C Trace Context, so that the spans of the service continue the trace. Each
   * makes a browser send a CORS preflight first, and tells the service your trace ids. Leave it out if `fetch` is instrumented and does
   * the same.
   */
  propagate?: boolean | undefined;
  /** Replaces `globalThis.fetch`. */
  fetch?: Fetch | undefined;
}

interface Watched {
  readonly span: Span;
  /** The context in which the span is active. */
  readonly context: unknown;
  /** Attributes of the latest request. */
  attributes: Attributes;
}

/** SpanKind.CLIENT and SpanStatusCode.ERROR. */
const client = 2;
const failed = 2;

/** The buckets that OpenTelemetry recommends for HTTP, in seconds. */
const explicitBucketBoundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/**
 * Creates hooks that report a client span for each call, named by its operation, with an event `retry` for each retry. With a meter
 * they also record the histogram `chain_query.client.call.duration` in seconds. Both cover the whole call with its waits.
 *
 * A span has the attribute `chain_query.operation` and the stable HTTP attributes: `http.request.method`, `url.full` (without its query,
 * so that nothing secret is in it), `server.address`, `server.port`, `http.response.status_code`, `http.request.resend_count` after a
 * retry, and, after a failure, `error.type`, which is the error's `code`. A call that ends before it is sent has no attributes of a
 * request. Calls through `chain.raw` have no spans.
 *
 * @example
 * ```ts
 * const chain = createClient({ baseUrl, hooks: otelHooks({ tracer: trace.getTracer("my-app") }) });
 * ```
 */
export function otelHooks({ tracer, meter }: Instruments): Hooks {
  return createHooks({ tracer, meter }, new WeakMap());
}

/**
 * Creates options of a client that report calls as `otelHooks` does, and that also make the span of a call the active one or send it to
 * the service.
 *
 * @example
 * ```ts
 * import { context, trace } from "@opentelemetry/api";
 *
 * const tracer = trace.getTracer("my-app");
 * const chain = createClient({ baseUrl, ...otelOptions({ tracer, api: { context, trace }, propagate: true }) });
 * ```
 */
export function otelOptions(options: OtelOptions): { hooks: Hooks; fetch: Fetch } {
  const { api, propagate, fetch } = options;
  const calls = new WeakMap<Call, Watched>();
  const hooks = createHooks(options, calls);
  /** The call that is about to send a request: the client calls `fetch` right after `onRequest`. */
  let sending: Watched | undefined;
  return {
    hooks: {
      ...hooks,
      onRequest(event) {
        sending = calls.get(event.call);
        hooks.onRequest?.(event);
      },
    },
    fetch(request) {
      const watched = sending;
      sending = undefined;
      const send = () => (fetch ?? globalThis.fetch)(request);
      if (watched === undefined) return send();
      if (propagate) setTraceContext(request.headers, watched.span.spanContext());
      return api ? api.context.with(watched.context, send) : send();
    },
  };
}

/** Writes the headers of W3C Trace Context. Without a registered SDK spans have no valid ids, and nothing is sent. */
function setTraceContext(headers: Headers, { traceId, spanId, traceFlags, traceState }: SpanContext): void {
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return;
  headers.set("traceparent", `00-${traceId}-${spanId}-${(traceFlags & 0xff).toString(16).padStart(2, "0")}`);
  const state = traceState?.serialize();
  if (state) headers.set("tracestate", state);
}

function createHooks({ tracer, meter, api }: OtelOptions, calls: WeakMap<Call, Watched>): Hooks {
  const durations = meter?.createHistogram("chain_query.client.call.duration", {
    description: "Duration of calls with their waits and retries.",
    unit: "s",
    advice: { explicitBucketBoundaries },
  });

  return {
    onCall({ call }) {
      const attributes = { "chain_query.operation": call.operation };
      const span = tracer.startSpan(call.operation, { kind: client, attributes });
      calls.set(call, { span, context: api?.trace.setSpan(api.context.active(), span), attributes: {} });
    },
    onRequest({ call, method, url }) {
      const watched = calls.get(call);
      if (watched === undefined) return;
      const { hostname, port, protocol } = new URL(url);
      const before = call.attempts - 1;
      watched.attributes = {
        "http.request.method": method,
        "url.full": url,
        "server.address": hostname.replace(/^\[|\]$/g, ""),
        "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
        ...(before > 0 && { "http.request.resend_count": before }),
      };
    },
    onResponse({ call, status }) {
      const watched = calls.get(call);
      if (watched) watched.attributes["http.response.status_code"] = status;
    },
    onRetry({ call, delayMs, error, status }) {
      calls.get(call)?.span.addEvent("retry", {
        "http.request.resend_count": call.attempts,
        "chain_query.retry.delay_ms": delayMs,
        ...(status !== undefined && { "http.response.status_code": status }),
        ...(error && { "error.type": error.code }),
      });
    },
    onSettled({ call, durationMs, error }) {
      const watched = calls.get(call);
      if (watched === undefined) return;
      const { span, attributes } = watched;
      if (error !== undefined) attributes["error.type"] = typeOf(error);
      span.setAttributes(attributes);
      if (error !== undefined)
        span.setStatus({ code: failed, message: error instanceof Error ? error.message : String(error) });
      span.end();
      durations?.record(durationMs / 1_000, measured(call, attributes));
    },
  };
}

function typeOf(error: unknown): string {
  return error instanceof ChainQueryError ? error.code : error instanceof Error ? error.name : "_OTHER";
}

/** Each set of attributes is a time series of its own, so only attributes with few values are kept. */
function measured({ operation }: Call, attributes: Attributes): Attributes {
  const few = ["http.request.method", "server.address", "server.port", "http.response.status_code", "error.type"];
  const kept = Object.entries(attributes).filter(([name]) => few.includes(name));
  return { "chain_query.operation": operation, ...Object.fromEntries(kept) };
}
