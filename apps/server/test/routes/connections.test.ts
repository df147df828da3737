/** Limits of connections. */
import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { totalmem } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import type { AppOptions } from "../../src/app.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { unreadLimit } from "../../src/routes/connections.ts";
import { appWith } from "../fixtures/app.ts";

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

test.each([
  ["a container of 1 GiB", 2 ** 30, 64],
  ["16 GiB", 2 ** 34, 128],
])("the bytes that may wait are a part of the memory: %s", (_, memory, expected) => {
  expect(unreadLimit(memory)).toBe(expected * 2 ** 20);
});

test("the bytes that may wait follow the memory of this machine", () => {
  expect(unreadLimit()).toBeGreaterThan(0);
  expect(unreadLimit()).toBeLessThanOrEqual(totalmem() / 16);
});
