/**
 * Traces and metrics for OpenTelemetry, which this package does not import: whatever is shaped like its tracer and meter will do.
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
 * As much of OpenTelemetry's Span as is used. Times are milliseconds since 1970; status code 2 is an error.
 *
 * @example
 * ```ts
 * const span: Span = { addEvent: console.log, setStatus: console.log, end: (time) => console.log("ended", new Date(time)) };
 * ```
 */
export interface Span {
  addEvent(name: string, attributes: Attributes, time: number): unknown;
  setStatus(status: { code: 2; message: string }): unknown;
  end(time: number): void;
}

/**
 * As much of its Tracer. Kind 2 is a client.
 *
 * @example
 * ```ts
 * const tracer: Tracer = trace.getTracer("my-app"); // of @opentelemetry/api
 * const chain = createClient({ baseUrl, hooks: otelHooks({ tracer }) });
 * ```
 */
export interface Tracer {
  startSpan(name: string, options: { kind: 2; startTime: number; attributes: Attributes }): Span;
}

/**
 * As much of its Meter. What is recorded is in the unit that the histogram is made with.
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

interface Watched {
  /** What the span is told of the call's latest request. */
  attributes: Attributes;
  retries: { time: number; attributes: Attributes }[];
}

/** SpanKind.CLIENT and SpanStatusCode.ERROR. */
const client = 2;
const failed = 2;

/** Those that OpenTelemetry advises for HTTP, in seconds. */
const explicitBucketBoundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/**
 * Makes hooks that report a client span for each call, named by its operation, with an event `retry` for each retry, and, where a
 * meter is given, the histogram `chain_query.client.call.duration` in seconds. Both cover the whole call with its waits.
 *
 * A span has the stable HTTP attributes: `http.request.method`, `url.full` (without its query, so that nothing secret is in it),
 * `server.address`, `server.port`, `http.response.status_code`, `http.request.resend_count` where it was sent again, and, after a
 * failure, `error.type`, which is the error's `code`. A call that ends before it is sent has none of the request's. Spans are made
 * when a call ends and dated back, in the context of the call. Calls by `chain.raw` make none: they are openapi-fetch's.
 *
 * @example
 * ```ts
 * const chain = createClient({ baseUrl, hooks: otelHooks({ tracer: trace.getTracer("my-app") }) });
 * ```
 */
export function otelHooks({ tracer, meter }: { tracer: Tracer; meter?: Meter | undefined }): Hooks {
  const durations = meter?.createHistogram("chain_query.client.call.duration", {
    description: "Duration of calls with their waits and retries.",
    unit: "s",
    advice: { explicitBucketBoundaries },
  });
  const calls = new WeakMap<Call, Watched>();
  const watched = (call: Call): Watched => {
    const found = calls.get(call) ?? { attributes: {}, retries: [] };
    calls.set(call, found);
    return found;
  };

  return {
    onRequest({ call, method, url }) {
      const { hostname, port, protocol } = new URL(url);
      const before = call.attempts - 1;
      watched(call).attributes = {
        "http.request.method": method,
        "url.full": url,
        "server.address": hostname.replace(/^\[|\]$/g, ""),
        "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
        ...(before > 0 && { "http.request.resend_count": before }),
      };
    },
    onResponse({ call, status }) {
      watched(call).attributes["http.response.status_code"] = status;
    },
    onRetry({ call, delayMs, error, status }) {
      watched(call).retries.push({
        time: Date.now(),
        attributes: {
          "http.request.resend_count": call.attempts,
          "chain_query.retry.delay_ms": delayMs,
          ...(status !== undefined && { "http.response.status_code": status }),
          ...(error && { "error.type": error.code }),
        },
      });
    },
    onSettled({ call, durationMs, error }) {
      const end = Date.now();
      const start = end - durationMs;
      const { attributes, retries } = watched(call);
      if (error !== undefined) attributes["error.type"] = typeOf(error);
      const span = tracer.startSpan(call.operation, { kind: client, startTime: start, attributes });
      // The clock of the day may be set while a call is under way.
      for (const { time, attributes: about } of retries) span.addEvent("retry", about, Math.min(Math.max(time, start), end));
      if (error !== undefined)
        span.setStatus({ code: failed, message: error instanceof Error ? error.message : String(error) });
      span.end(end);
      durations?.record(durationMs / 1_000, measured(call, attributes));
    },
  };
}

function typeOf(error: unknown): string {
  return error instanceof ChainQueryError ? error.code : error instanceof Error ? error.name : "_OTHER";
}

/** Each set of attributes is a time series of its own, so only those of few values are kept. */
function measured({ operation }: Call, attributes: Attributes): Attributes {
  const few = ["http.request.method", "server.address", "server.port", "http.response.status_code", "error.type"];
  const kept = Object.entries(attributes).filter(([name]) => few.includes(name));
  return { "chain_query.operation": operation, ...Object.fromEntries(kept) };
}
