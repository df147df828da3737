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
 * The part of OpenTelemetry's Span that is used. Times are milliseconds since 1970; status code 2 is an error.
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
 * The part of OpenTelemetry's Tracer that is used. Kind 2 is a client.
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
  /** Attributes of the latest request. */
  attributes: Attributes;
  retries: { time: number; attributes: Attributes }[];
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
 * A span has the stable HTTP attributes: `http.request.method`, `url.full` (without its query, so that nothing secret is in it),
 * `server.address`, `server.port`, `http.response.status_code`, `http.request.resend_count` after a retry, and, after a failure,
 * `error.type`, which is the error's `code`. A call that ends before it is sent has no attributes of a request. Spans are created
 * when a call ends, with the times of the call. Calls through `chain.raw` have no spans.
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
      // The wall clock may be set during a call.
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
