import type { Socket } from "node:net";
import { expect, test, vi } from "vitest";
import { validateService } from "../../src/index.ts";
import { isLoopback, openHttpSender, parseBaseUrl } from "../../src/service/http.ts";
import { listening } from "../fake-service/serve.ts";

test.each(["http://me:s3cret@h", "http://:s3cret@h", "http://h?s3cret", "http://h/#s3cret", "http://h:x@s3cret:y"])(
  "%s is rejected without repeating what may be secret",
  async (baseUrl) => {
    const outcome = validateService({ baseUrl });
    await expect(outcome).rejects.toThrow(RangeError);
    await expect(outcome).rejects.not.toThrow("s3cret");
  },
);

test("a base URL keeps its path without the trailing slash", () => {
  expect(parseBaseUrl("HTTP://Host:80/a@b/")).toBe("http://host/a@b");
});

test.each([
  ["http://localhost:1", true],
  ["http://127.8.9.1/x", true],
  ["https://[::1]:4010", true],
  ["http://127.example.org", false],
  ["http://10.0.0.1", false],
])("%s leads to this machine: %s", (url, expected) => {
  expect(isLoopback(url)).toBe(expected);
});

const request = { operation: "getMasterchainInfo", method: "GET", path: "/api/v2/getMasterchainInfo" };
const options = { apiKey: undefined, headers: {}, requestsPerSecond: 0, timeout: 60_000, signal: new AbortController().signal };

const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();

test.for([
  { "retry-after": "0" },
  // From a service whose clock is an hour ahead.
  { "retry-after": inAnHour, date: inAnHour },
])("waits as long as Retry-After says, and retries: %j", async (headers) => {
  let received = 0;
  await using server = await listening((_, response) => {
    response.writeHead(++received < 3 ? 429 : 200, headers).end("{}");
  });
  const sender = openHttpSender({ ...options, baseUrl: server.url });
  expect(await sender.send(request)).toMatchObject({ outcome: { status: 200 } });
  expect(received).toBe(3);
  sender.close();
});

test("limits the rate of requests", async () => {
  await using server = await listening((_, response) => response.end("{}"));
  const sender = openHttpSender({ ...options, baseUrl: server.url, requestsPerSecond: 100 });
  const begin = performance.now();
  for (let round = 0; round < 5; round++) await sender.send(request);
  expect(performance.now() - begin).toBeGreaterThanOrEqual(39);
  sender.close();
});

test("gives up after the timeout", async () => {
  await using server = await listening(() => {});
  const sender = openHttpSender({ ...options, timeout: 50, baseUrl: server.url });
  expect(await sender.send(request)).toMatchObject({ outcome: "no response within 0.05 seconds" });
  sender.close();
});

test("goes through the proxy of the environment, but not to this machine or to hosts of NO_PROXY", async () => {
  const received: string[] = [];
  await using proxy = await listening(({ url = "" }, response) => {
    received.push(url);
    response.end("{}");
  });
  vi.stubEnv("HTTP_PROXY", proxy.url);
  vi.stubEnv("NO_PROXY", "direct.invalid");
  const outcomes: unknown[] = [];
  for (const baseUrl of ["http://api.invalid/chain", "http://direct.invalid", "http://127.0.0.1:1"]) {
    const sender = openHttpSender({ ...options, baseUrl });
    outcomes.push((await sender.send(request)).outcome);
    sender.close();
  }
  expect(outcomes).toEqual([expect.objectContaining({ status: 200 }), expect.any(String), expect.any(String)]);
  expect(received).toEqual(["http://api.invalid/chain/api/v2/getMasterchainInfo"]);
  vi.unstubAllEnvs();
});

test("opens a tunnel through the proxy for https, and names the proxy without its password if it cannot", async () => {
  const tunnels: string[] = [];
  await using proxy = await listening(
    () => {},
    ({ url = "" }, socket: Socket) => {
      tunnels.push(url);
      socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    },
  );
  vi.stubEnv("HTTPS_PROXY", proxy.url.replace("//", "//me:s3cret@"));
  const validation = validateService({ baseUrl: "https://api.invalid", timeout: 60_000 });
  await expect(validation).rejects.toThrow(
    `https://api.invalid is not this API: it responds through the proxy ${new URL(proxy.url).host} of the environment with 502`,
  );
  await expect(validation).rejects.not.toThrow("s3cret");
  expect(tunnels).toEqual(["api.invalid:443"]);
  vi.unstubAllEnvs();
});
