import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, type ContextManager, context, metrics, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../../src/index.ts";
import { type Attributes, otelHooks, otelOptions, type Tracer } from "../../src/otel.ts";
import { type FaultServer, failure, json, type Reply, resetBeforeHeaders, startFaultServer } from "../fault-server.ts";

interface Recorded {
  name: string;
  kind: number;
  attributes: Attributes;
  status: unknown;
  events: { name: string; attributes: Attributes }[];
}

/** A tracer that keeps ended spans, and a meter that keeps measurements. */
function recorder() {
  const spans: Recorded[] = [];
  const tracer: Tracer = {
    startSpan(name, options) {
      const span: Recorded = { name, ...options, status: undefined, events: [] };
      return {
        spanContext: () => ({ traceId: "0".repeat(32), spanId: "0".repeat(16), traceFlags: 0 }),
        addEvent: (event, attributes) => span.events.push({ name: event, attributes }),
        setAttributes: (attributes) => Object.assign(span.attributes, attributes),
        setStatus: (status) => {
          span.status = status;
        },
        end: () => void spans.push(span),
      };
    },
  };
  const histograms: { name: string; unit: string; values: { value: number; attributes: Attributes }[] }[] = [];
  const meter: Parameters<typeof otelHooks>[0]["meter"] = {
    createHistogram(name, { unit }) {
      const values: { value: number; attributes: Attributes }[] = [];
      histograms.push({ name, unit, values });
      return { record: (value, attributes) => values.push({ value, attributes }) };
    },
  };
  return { tracer, meter, spans, histograms };
}

/** Answers with one status after another, and repeats the last; 0 breaks the connection. */
function respondingWith(first: number, ...rest: number[]) {
  const replyWith = (status: number): Reply => {
    if (status === 0) return resetBeforeHeaders;
    return status === 200 ? json(200, { ok: true, result: {} }) : failure(status, "no");
  };
  return startFaultServer(replyWith(first), ...rest.map(replyWith));
}

const portOf = ({ url }: FaultServer) => Number(new URL(url).port);

const retry = { baseDelayMs: 1 };

/** A context manager of Node.js, as the SDK has one. */
function asyncContexts(): ContextManager {
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, run, self, ...args) => storage.run(active, () => run.apply(self, args)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  return manager;
}

describe("otelHooks", () => {
  test("reports one client span for a call, with the names of the HTTP conventions", async () => {
    await using server = await respondingWith(200);
    const { tracer, spans } = recorder();
    const chain = createClient({ baseUrl: server.url, apiKey: "s3cret", hooks: otelHooks({ tracer }) });
    await chain.getTransactionsStd({ address: "0:abababababababababababababababababababababababababababababababab" });
    expect(spans).toEqual([
      {
        name: "getTransactionsStd",
        kind: 2,
        attributes: {
          "chain_query.operation": "getTransactionsStd",
          "http.request.method": "GET",
          "url.full": `${server.url}/api/v2/getTransactionsStd`,
          "server.address": "127.0.0.1",
          "server.port": portOf(server),
          "http.response.status_code": 200,
        },
        status: undefined,
        events: [],
      },
    ]);
    expect(JSON.stringify(spans)).not.toContain("s3cret");
  });

  test("reports each retry and the last response", async () => {
    await using server = await respondingWith(503, 0, 200);
    const { tracer, spans } = recorder();
    const chain = createClient({ baseUrl: server.url, rateLimit: false, retry, hooks: otelHooks({ tracer }) });
    await chain.lookupBlock({ workchain: -1, shard: 0, seqno: 1 });
    const [span] = spans;
    expect(span?.attributes).toMatchObject({ "http.response.status_code": 200, "http.request.resend_count": 2 });
    expect(span?.status).toBeUndefined();
    const delay = { "chain_query.retry.delay_ms": expect.any(Number) };
    expect(span?.events.map(({ name, attributes }) => [name, attributes])).toEqual([
      ["retry", { ...delay, "http.request.resend_count": 1, "http.response.status_code": 503 }],
      ["retry", { ...delay, "http.request.resend_count": 2, "error.type": "CONNECTION" }],
    ]);
  });

  test("marks a failure with the code of its error", async () => {
    await using server = await respondingWith(404, 0, 0, 0);
    const { tracer, spans } = recorder();
    const chain = createClient({ baseUrl: server.url, rateLimit: false, retry, hooks: otelHooks({ tracer }) });
    await chain.getConsensusBlock().safe();
    await chain.getConsensusBlock().safe();
    expect(spans.map(({ attributes }) => [attributes["error.type"], attributes["http.response.status_code"]])).toEqual([
      ["NOT_FOUND", 404],
      ["CONNECTION", undefined],
    ]);
    expect(spans[0]?.status).toEqual({ code: 2, message: "getConsensusBlock: no" });
    expect(spans[1]?.attributes["http.request.resend_count"]).toBe(2);
  });

  test("reports a call that ends before it is sent", async () => {
    const { tracer, spans } = recorder();
    const chain = createClient({ baseUrl: "http://127.0.0.1:9", hooks: otelHooks({ tracer }) });
    await chain.getConsensusBlock({ signal: AbortSignal.abort("enough") }).safe();
    expect(spans).toMatchObject([{ name: "getConsensusBlock", attributes: { "error.type": "ABORTED" }, status: { code: 2 } }]);
    expect(spans[0]?.attributes).not.toHaveProperty("url.full");
  });

  test("measures calls in seconds, by few attributes", async () => {
    await using server = await respondingWith(200, 422);
    const { tracer, meter, histograms } = recorder();
    const chain = createClient({ baseUrl: server.url, rateLimit: false, hooks: otelHooks({ tracer, meter }) });
    await chain.getConsensusBlock();
    await chain.getAddressInformation({ address: "0:abababababababababababababababababababababababababababababababab" }).safe();
    const common = { "http.request.method": "POST", "server.address": "127.0.0.1", "server.port": portOf(server) };
    expect(histograms).toEqual([
      {
        name: "chain_query.client.call.duration",
        unit: "s",
        values: [
          {
            value: expect.any(Number),
            attributes: { ...common, "chain_query.operation": "getConsensusBlock", "http.response.status_code": 200 },
          },
          {
            value: expect.any(Number),
            attributes: {
              ...common,
              "chain_query.operation": "getAddressInformation",
              "http.response.status_code": 422,
              "error.type": "BAD_REQUEST",
            },
          },
        ],
      },
    ]);
  });
});

describe("with the SDK of OpenTelemetry", () => {
  const exporter = new InMemorySpanExporter();
  const tracer = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }).getTracer("test");
  beforeAll(() => void context.setGlobalContextManager(asyncContexts()));
  afterAll(() => context.disable());

  /** Runs a task below a span of the caller, and returns the spans which ended. */
  async function spansOf(run: () => Promise<unknown>) {
    exporter.reset();
    const parent = tracer.startSpan("caller");
    await context.with(trace.setSpan(context.active(), parent), run);
    parent.end();
    return { parent, spans: exporter.getFinishedSpans() };
  }

  test("a span covers its call with the wait for the limiter, below the span of the caller", async () => {
    await using server = await respondingWith(503, 200);
    const chain = createClient({ baseUrl: server.url, retry, hooks: otelHooks({ tracer, meter: metrics.getMeter("test") }) });
    const { parent, spans } = await spansOf(() => chain.getConsensusBlock());
    const [span] = spans;
    expect(span).toMatchObject({
      name: "getConsensusBlock",
      kind: 2,
      attributes: { "chain_query.operation": "getConsensusBlock" },
    });
    expect(span?.parentSpanContext?.spanId).toBe(parent.spanContext().spanId);
    expect(span?.events.map(({ name }) => name)).toEqual(["retry"]);
    expect(server.seen.map(({ headers }) => headers["traceparent"])).toEqual([undefined, undefined]);
  });

  test("the span of a call is active while each of its requests is sent, and after that no more", async () => {
    await using server = await respondingWith(503, 200);
    const active: (string | undefined)[] = [];
    const fetch = (request: Request) => {
      active.push(trace.getActiveSpan()?.spanContext().spanId);
      return globalThis.fetch(request);
    };
    const options = otelOptions({ tracer, api: { context, trace }, fetch });
    const chain = createClient({ baseUrl: server.url, rateLimit: false, retry, ...options });
    const { parent, spans } = await spansOf(async () => {
      await chain.getMasterchainInfo();
      active.push(trace.getActiveSpan()?.spanContext().spanId);
    });
    const own = spans.find(({ name }) => name === "getMasterchainInfo")?.spanContext().spanId;
    expect(active).toEqual([own, own, parent.spanContext().spanId]);
    expect(server.seen.some(({ headers }) => headers["traceparent"])).toBe(false);
  });

  test("each request carries the span of its own call, also where calls overlap", async () => {
    await using server = await respondingWith(200);
    const chain = createClient({ baseUrl: server.url, rateLimit: false, ...otelOptions({ tracer, propagate: true }) });
    const call = (_: unknown, index: number) => chain.lookupBlock({ workchain: -1, shard: 0, seqno: index + 1 });
    const { spans } = await spansOf(() =>
      Promise.all([...Array.from({ length: 20 }, call), chain.raw.GET("/api/v2/getMasterchainInfo")]),
    );
    const sent = server.seen.map(({ headers }) => {
      const found = new W3CTraceContextPropagator();
      const carried = found.extract(ROOT_CONTEXT, headers, { get: (from, key) => Object(from)[key], keys: Object.keys });
      return trace.getSpanContext(carried)?.spanId;
    });
    const called = spans.filter(({ name }) => name === "lookupBlock").map((span) => span.spanContext().spanId);
    expect(new Set(sent)).toEqual(new Set([...called, undefined]));
    expect(sent).toHaveLength(21);
  });

  test("sends the state of the trace, and nothing without valid ids", async () => {
    await using server = await respondingWith(200);
    const traceState = { serialize: () => "vendor=5" };
    const ids = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331", traceFlags: 1 };
    for (const spanContext of [
      { ...ids, traceState },
      { ...ids, traceFlags: 0 },
      { ...ids, traceId: "0".repeat(32) },
    ]) {
      const { tracer: plain } = recorder();
      const own: Tracer = { startSpan: (...args) => ({ ...plain.startSpan(...args), spanContext: () => spanContext }) };
      await createClient({
        baseUrl: server.url,
        rateLimit: false,
        ...otelOptions({ tracer: own, propagate: true }),
      }).getMasterchainInfo();
    }
    expect(server.seen.map(({ headers }) => [headers["traceparent"], headers["tracestate"]])).toEqual([
      [`00-${ids.traceId}-${ids.spanId}-01`, "vendor=5"],
      [`00-${ids.traceId}-${ids.spanId}-00`, undefined],
      [undefined, undefined],
    ]);
  });
});
