/** Limits of connections, and those that are closed after a response to an incomplete request. */
import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { totalmem } from "node:os";
import { describe, expect, onTestFinished, test } from "vitest";
import type { AppOptions } from "../../src/app.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { unreadLimit } from "../../src/routes/connections.ts";
import { appWith } from "../fixtures/app.ts";
import { sendRaw } from "../fixtures/ask.ts";
import { sharedService } from "../fixtures/service.ts";

const metrics = createMetrics(async () => undefined);
const unlimited = { all: 1_000, address: 1_000, unread: 2 ** 30, interval: 10 };

async function listen(parts: Partial<AppOptions>): Promise<number> {
  const app = appWith({ metrics, ...parts });
  await app.listen({ port: 0, host: "::" });
  return (app.server.address() as AddressInfo).port;
}

/** Opens a connection and asks for a page. Resolves to the connection, or to undefined if it was closed without a response. */
async function ask(port: number, localAddress: string): Promise<Socket | undefined> {
  const socket = connect({ port, host: localAddress.includes(":") ? "::1" : "127.0.0.1", localAddress });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {}).write("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
  const answered = await Promise.race([once(socket, "data").then(() => true), once(socket, "close").then(() => false)]);
  return answered ? socket : undefined;
}

async function closedAt(limit: string): Promise<number> {
  const text = await metrics.registry.metrics();
  return Number(new RegExp(`connections_closed_total\\{limit="${limit}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
}

test("an address has its own number of connections, and may open another one when it has closed one", async () => {
  const port = await listen({ connections: { ...unlimited, address: 2 } });
  const first = await ask(port, "127.0.0.1");
  expect(await ask(port, "127.0.0.1")).toBeDefined();
  expect(await ask(port, "127.0.0.1")).toBeUndefined();
  expect(await closedAt("address")).toBe(1);
  expect(await ask(port, "127.0.0.2")).toBeDefined();
  expect(await ask(port, "::1")).toBeDefined();
  first?.destroy();
  await expect.poll(() => ask(port, "127.0.0.1")).toBeDefined();
});

test.each([["127.0.0.1"], ["127.0.0.0/31"]])("the proxy %s has as many connections as all callers together", async (proxy) => {
  const port = await listen({ connections: { ...unlimited, all: 4, address: 1 }, trustedProxies: [proxy] });
  const before = await closedAt("all");
  for (let count = 0; count < 3; count++) expect(await ask(port, "127.0.0.1")).toBeDefined();
  expect(await ask(port, "127.0.0.2")).toBeDefined();
  expect(await ask(port, "127.0.0.1")).toBeUndefined();
  expect(await closedAt("all")).toBe(before + 1);
});

test("above the limit of unread bytes, the connection with the most is closed, and the others are answered", async () => {
  const port = await listen({ connections: { ...unlimited, unread: 2 ** 14 } });
  const request = "GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n";
  const unread = connect(port, "127.0.0.1")
    .on("error", () => {})
    .pause();
  onTestFinished(() => void unread.destroy());
  unread.write(request.repeat(400));
  const small = await ask(port, "127.0.0.1");
  await expect.poll(() => closedAt("unread")).toBe(1);
  small?.write("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
  expect(String(await once(small ?? expect.unreachable(), "data"))).toContain("200 OK");
});

test("the bytes that may wait are a part of the memory, by default of this machine", () => {
  expect([unreadLimit(2 ** 30), unreadLimit(2 ** 34)]).toEqual([2 ** 26, 2 ** 27]);
  expect(unreadLimit()).toBeGreaterThan(0);
  expect(unreadLimit()).toBeLessThanOrEqual(totalmem() / 16);
});

const service = sharedService();

const lookup = "/api/v2/lookupBlock HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";

describe("a request that is too large", () => {
  test.each([
    ["POST", "lookupBlock"],
    ["GET", "getMasterchainInfo"],
    ["PUT", "nothing"],
  ])("is refused by its declared length, before its body arrives: %s %s", async (method, operation) => {
    const socket = connect(service.port, "127.0.0.1");
    socket.write(`${method} /api/v2/${operation} HTTP/1.1\r\nhost: x\r\ncontent-length: 2000000\r\n\r\n`);
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(
      /^HTTP\/1\.1 413 .*\r\nconnection: close\r\n.*"body: too large, at most 65536 bytes are accepted"/is,
    );
    socket.destroy();
  });

  test.each([
    ["body", `POST ${lookup}content-length: 2000000\r\n\r\n${"x".repeat(2_000_000)}`, 413],
    ["chunked body", `POST ${lookup}transfer-encoding: chunked\r\n\r\n1e8480\r\n${"x".repeat(2_000_000)}\r\n0\r\n\r\n`, 413],
    ["head", `GET / HTTP/1.1\r\nhost: x\r\n${`x: ${"x".repeat(1000)}\r\n`.repeat(2000)}\r\n`, 431],
  ])("is answered after its whole %s is sent", async (_, request, status) => {
    expect(await sendRaw(service.port, request)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  test.each([
    ["body", `POST ${lookup}content-length: 100000000\r\n\r\n`],
    ["head", `GET / HTTP/1.1\r\nhost: x\r\n${"x: x\r\n".repeat(10_000)}`],
  ])("is not read to its end: %s", async (_, head) => {
    const socket = connect(service.port, "127.0.0.1").on("error", () => {});
    socket.resume().write(head);
    const block = Buffer.alloc(2 ** 20, "x");
    for (let sent = 0; sent < 100 && !socket.destroyed; sent++) {
      if (!socket.write(block)) await Promise.race([once(socket, "drain"), once(socket, "close")]);
    }
    expect(socket.destroyed).toBe(true);
    expect(socket.bytesWritten).toBeLessThan(50 * 2 ** 20);
  });
});
