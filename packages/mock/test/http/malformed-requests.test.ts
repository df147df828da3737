/** Requests that Node or Prism would reject with another body, or accept. */
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Mock, startMock } from "../../src/index.ts";

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.close());

/** Sends text over a socket as it is. */
async function raw(request: string): Promise<{ status: number; body: unknown }> {
  const socket = connect(Number(new URL(mock.url).port), "127.0.0.1");
  socket.write(request);
  const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), body: JSON.parse(body) };
}

describe("a body is rejected in the contract's envelope", () => {
  const nested = `{"a":${"[".repeat(10_000)}${"]".repeat(10_000)}}`;
  test.for([
    ["nested deeply", "application/json", nested, 422, "body: nested more than 32 levels deep"],
    ["of an unreadable content type", ";;;", "{}", 415, "content-type: expected application/json"],
  ] as const)("if it is %s", async ([, type, body, code, error]) => {
    const response = await fetch(`${mock.url}/api/v2/lookupBlock`, { method: "POST", headers: { "content-type": type }, body });
    expect([response.status, await response.json()]).toEqual([code, { ok: false, error, code }]);
  });
});

test("a malformed request is rejected after the response to the request before it", async () => {
  const socket = connect(Number(new URL(mock.url).port), "127.0.0.1");
  socket.write("GET /api/v2/getMasterchainInfo HTTP/1.1\r\nhost: x\r\n\r\n\u0001x\r\n\r\n");
  expect((await text(socket)).match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 422"]);
});

test.for([
  [
    "without a host",
    "GET /api/v2/getMasterchainInfo HTTP/1.1\r\nconnection: close\r\n\r\n",
    400,
    "host: missing in the headers",
  ],
  ["that is not HTTP", "BREW / HTTP/1.1\r\nhost: x\r\n\r\n", 422, "not a valid HTTP request: Invalid method encountered"],
  ["of large headers", `GET / HTTP/1.1\r\nx: ${"x".repeat(30_000)}\r\n\r\n`, 431, "the headers are too large"],
] as const)("a request %s is rejected in the contract's envelope", async ([, request, code, error]) => {
  expect(await raw(request)).toEqual({ status: code, body: { ok: false, error, code } });
});
