/** The port of the HTTP server, and its end. */
import { connect, createServer, type Server } from "node:net";
import { platform } from "node:process";
import { describe, expect, test } from "vitest";
import { findListeners } from "../src/http/listen.ts";
import { ListenError, startMock } from "../src/index.ts";

/** Another server on a free port of 127.0.0.1. */
async function otherServer(): Promise<AsyncDisposable & { port: number }> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server has a port");
  return {
    port: address.port,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

describe("startMock", () => {
  test("listens on 127.0.0.1 and a new free port", async () => {
    await using one = await startMock();
    await using other = await startMock();
    expect(one.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(other.url).not.toBe(one.url);
    expect((await fetch(`${other.url}/api/v2/getMasterchainInfo`)).status).toBe(200);
  });

  test("listens on the given port", async () => {
    const mock = await startMock();
    await mock.close();
    await using again = await startMock({ port: Number(new URL(mock.url).port) });
    expect(again.url).toBe(mock.url);
  });

  test("has a URL that clients can use if it listens on every interface", async () => {
    await using mock = await startMock({ host: "0.0.0.0" });
    expect(mock.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${mock.url}/api/v2/getMasterchainInfo`)).status).toBe(200);
  });

  test("rejects a taken port with one line that names the process and the option", async () => {
    await using other = await otherServer();
    const error: unknown = await startMock({ port: other.port }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ListenError);
    expect(error).toMatchObject({ code: "EADDRINUSE", port: other.port, host: "127.0.0.1" });
    const owner = platform === "linux" ? ` by \\S.* \\(process ${process.pid}\\)` : "";
    const line = new RegExp(`^port ${other.port} on 127\\.0\\.0\\.1 is taken${owner}; choose another with --port`);
    expect(error).toHaveProperty("message", expect.stringMatching(line));
  });

  test.for<[host: string, code: string]>([
    ["203.0.113.1", "EADDRNOTAVAIL"],
    ["", "EINVAL"],
  ])("rejects the host %j in one line", async ([host, code]) => {
    const error: unknown = await startMock({ host }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ListenError);
    expect(error).toMatchObject({ code, message: expect.stringMatching(/^host ".*" is not an address.*--host/) });
  });
});

describe("close", () => {
  test("closes the port and open connections", async () => {
    const mock = await startMock();
    const port = Number(new URL(mock.url).port);
    const idle = connect(port, "127.0.0.1");
    await new Promise((resolve) => idle.once("connect", resolve));
    const ended = new Promise((resolve) => idle.once("close", resolve));
    await mock.close();
    await ended;
    await expect(fetch(mock.url)).rejects.toThrow();
  });

  test("may be called twice", async () => {
    const mock = await startMock();
    await Promise.all([mock.close(), mock.close()]);
    await mock.close();
  });
});

describe("findListeners", () => {
  const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:0FAA 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0000000000000000 100 0 0 10 0
   1: 0100007F:0FAA 0100007F:C1B2 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 0000000000000000 20 4 30 10 -1
   2: 00000000:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4713 1 0000000000000000 100 0 0 10 0
`;

  test("finds the listening sockets of a port, not its connections", () => {
    expect([4010, 80, 81].map((port) => findListeners(table, port))).toEqual([["4711"], ["4713"], []]);
  });
});
