import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { createClient } from "../../src/index.ts";
import { type Attributes, otelHooks, type Tracer } from "../../src/otel.ts";

interface Recorded {
  name: string;
  kind: number;
  startTime: number;
  endTime: number;
  attributes: Attributes;
  status: unknown;
  events: { name: string; attributes: Attributes; time: number }[];
}

/** A tracer that keeps the spans which have ended, and a meter that keeps what is measured. */
function recorder() {
  const spans: Recorded[] = [];
  const tracer: Tracer = {
    startSpan(name, options) {
      const span: Recorded = { name, ...options, endTime: 0, status: undefined, events: [] };
      return {
        addEvent: (event, attributes, time) => span.events.push({ name: event, attributes, time }),
        setStatus: (status) => {
          span.status = status;
        },
        end: (time) => {
          span.endTime = time;
          spans.push(span);
        },
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

/** Answers with one status after another; 0 breaks the connection. */
async function answering(...statuses: number[]) {
  let asked = 0;
  const server = createServer((_, response) => {
    const status = statuses[asked++] ?? 200;
    if (status === 0) response.destroy();
    else {
      const body = status === 200 ? { ok: true, result: {} } : { ok: false, error: "no", code: status };
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
  return { url: `http://127.0.0.1:${port}`, port, [Symbol.asyncDispose]: async () => void (await close()) };
}

const retry = { baseDelayMs: 1 };

describe("otelHooks", () => {
  test("reports one client span for a call, with the names of the HTTP conventions", async () => {
    await using server = await answering(200);
    const { tracer, spans } = recorder();
    const chain = createClient({ baseUrl: server.url, apiKey: "s3cret", hooks: otelHooks({ tracer }) });
    await chain.getTransactionsStd({ address: "0:ab" });
    expect(spans).toEqual([
      {
        name: "getTransactionsStd",
        kind: 2,
        startTime: expect.any(Number),
        endTime: expect.any(Number),
        attributes: {
          "http.request.method": "GET",
          "url.full": `${server.url}/api/v2/getTransactionsStd`,
          "server.address": "127.0.0.1",
          "server.port": server.port,
          "http.response.status_code": 200,
        },
        status: undefined,
        events: [],
      },
    ]);
    expect(spans[0]?.startTime).toBeLessThan(spans[0]?.endTime ?? 0);
    expect(Math.abs((spans[0]?.startTime ?? 0) - Date.now())).toBeLessThan(60_000);
    expect(JSON.stringify(spans)).not.toContain("s3cret");
  });

  test("reports each retry and the last answer", async () => {
    await using server = await answering(503, 0, 200);
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
    for (const { time } of span?.events ?? []) {
      expect(time).toBeGreaterThanOrEqual(span?.startTime ?? 0);
      expect(time).toBeLessThanOrEqual(span?.endTime ?? 0);
    }
  });

  test("marks a failure with the code of its error", async () => {
    await using server = await answering(404, 0, 0, 0);
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
    await using server = await answering(200, 422);
    const { tracer, meter, spans, histograms } = recorder();
    const chain = createClient({ baseUrl: server.url, rateLimit: false, hooks: otelHooks({ tracer, meter }) });
    await chain.getConsensusBlock();
    await chain.getAddressInformation({ address: "nonsense" }).safe();
    const common = { "http.request.method": "POST", "server.address": "127.0.0.1", "server.port": server.port };
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
    const milliseconds = (spans[0]?.endTime ?? 0) - (spans[0]?.startTime ?? 0);
    expect((histograms[0]?.values[0]?.value ?? 0) * 1_000).toBeCloseTo(milliseconds, 1);
  });
});
