import { until } from "@chain-query/testing/until";
import { propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "../fixtures/ask.ts";
import { sharedService } from "../fixtures/service.ts";

const exporter = new InMemorySpanExporter();

beforeAll(() => {
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
});
afterAll(() => {
  trace.disable();
  propagation.disable();
});

const service = sharedService({ telemetry: true, keylessRate: 1 });

test("telemetry records a span for each request, also for refused ones, below the caller's span", async () => {
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const parent = "b7ad6b7169203331";
  const headers = { traceparent: `00-${traceId}-${parent}-01` };
  const statuses: number[] = [];
  // Two requests may come in different seconds, which have a limit each.
  await until(async () => {
    const pair = [1, 2].map(() => ask(service.url, "lookupBlock", { workchain: 5, shard: "1", seqno: 1 }, headers));
    statuses.push(...(await Promise.all(pair)).map(({ status }) => status));
    return statuses.includes(404) && statuses.includes(429);
  });
  const spans = await until(
    () => exporter.getFinishedSpans(),
    ({ length }) => length === statuses.length,
  );
  const recorded = spans.map(({ attributes }) => attributes["http.response.status_code"]);
  expect(recorded.toSorted()).toEqual(statuses.toSorted());
  for (const span of spans) {
    expect(span.name).toBe("POST /api/v2/lookupBlock");
    expect(span.kind).toBe(SpanKind.SERVER);
    expect(span.status.code).toBe(SpanStatusCode.UNSET);
    expect(span.attributes).toMatchObject({
      "http.request.method": "POST",
      "http.route": "/api/v2/lookupBlock",
      "url.scheme": "http",
    });
    expect([span.spanContext().traceId, span.parentSpanContext?.spanId]).toEqual([traceId, parent]);
  }
});
