import { describe, expect, test } from "vitest";
import { createLimiter } from "../src/conditions.ts";
import { type Conditions, type Mock, OptionError, startMock } from "../src/index.ts";
import { get } from "./calls.ts";

const head = (mock: Mock, headers: Record<string, string> = {}) => get(mock, "getMasterchainInfo", {}, headers);

/** The statuses of sequential requests; 0 for a broken connection. */
async function statusesOf(mock: Mock, count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++) {
    statuses.push(
      await head(mock).then(
        ({ status }) => status,
        () => 0,
      ),
    );
  }
  return statuses;
}

describe("seeded conditions", () => {
  const bad: Conditions = {
    fail: [
      { rate: 0.3, status: 503 },
      { rate: 0.2, status: 500 },
    ],
    drop: 0.2,
  };

  test("apply to some requests, the same ones in every run", async () => {
    await using one = await startMock({ ...bad, seed: 7 });
    await using other = await startMock({ ...bad, seed: 8 });
    const first = await statusesOf(one, 40);
    expect(new Set(first)).toEqual(new Set([0, 200, 500, 503]));
    expect(await statusesOf(other, 40)).not.toEqual(first);
    one.reset();
    expect(await statusesOf(one, 40)).toEqual(first);
  });

  test("do not change when another condition is switched on", async () => {
    await using one = await startMock({ fail: { rate: 0.3, status: 503 } });
    await using other = await startMock({ fail: { rate: 0.3, status: 503 }, latency: [0, 1] });
    expect(await statusesOf(other, 20)).toEqual(await statusesOf(one, 20));
  });
});

test("drop closes the connection without a response", async () => {
  await using mock = await startMock({ drop: 1 });
  const error: unknown = await head(mock).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TypeError);
  expect(mock.requests).toHaveLength(1);
});

describe("latency", () => {
  test("delays the response", async () => {
    await using mock = await startMock({ latency: 80 });
    const start = performance.now();
    await head(mock);
    // A timer may fire a millisecond early.
    expect(performance.now() - start).toBeGreaterThanOrEqual(79);
  });

  test("does not keep a mock from closing", async () => {
    const mock = await startMock({ latency: 600_000 });
    const response = head(mock).catch(() => "broken");
    await expect.poll(() => mock.requests.length).toBe(1);
    await mock.close();
    expect(await response).toBe("broken");
  });
});

test("apiKeys reject other keys with 401, and serve requests without a key", async () => {
  await using mock = await startMock({ apiKeys: ["a", "b"] });
  expect((await head(mock, { "x-api-key": "b" })).status).toBe(200);
  expect((await head(mock)).status).toBe(200);
  const { status, body } = await head(mock, { "x-api-key": "c" });
  expect(status).toBe(401);
  expect(body).toEqual({ ok: false, code: 401, reason: "unknown_key", error: "API key does not exist" });
});

describe("rateLimit", () => {
  test("rejects the second request of a second without a key, with Retry-After", async () => {
    await using mock = await startMock({ rateLimit: true });
    expect((await head(mock)).status).toBe(200);
    const { status, headers, body } = await head(mock);
    expect(status).toBe(429);
    expect(headers.get("retry-after")).toBe("1");
    expect(headers.get("ratelimit")).toBe('"keyless";r=0;t=1');
    expect(body).toMatchObject({
      ok: false,
      code: 429,
      error: expect.stringMatching(/1 request per second without an API key/),
    });
    expect((await head(mock, { "x-api-key": "any" })).status).toBe(200);
    mock.reset();
    expect((await head(mock)).status).toBe(200);
  });

  const asked = { method: "GET", path: "/", query: {}, size: 0, client: "192.0.2.1" };
  const keyless = { ...asked, headers: {} };
  const keyed = { ...asked, headers: { "x-api-key": "a" } };

  test("serves again after a second, and other addresses meanwhile", () => {
    const { check } = createLimiter({});
    expect(check(keyless, 0)).toBeUndefined();
    expect(check({ ...keyless, client: "192.0.2.2" }, 1)).toBeUndefined();
    expect(check(keyless, 999)?.status).toBe(429);
    expect(check(keyless, 1000)).toBeUndefined();
    expect(check(keyless, 1001)?.status).toBe(429);
  });

  test("limits the requests with a key, for each key", () => {
    const { check } = createLimiter({ withKey: 3 });
    const statuses = [0, 1, 2, 3].map((now) => check(keyed, now)?.status);
    expect(statuses).toEqual([undefined, undefined, undefined, 429]);
    expect(check({ ...keyed, headers: { "x-api-key": "b" } }, 3)).toBeUndefined();
    expect(check(keyed, 340)).toBeUndefined();
    expect(check(keyed, 341)?.headers["ratelimit"]).toBe('"key";r=0;t=1');
  });
});

test.for<[options: object, error: RegExp]>([
  [{ latency: -1 }, /^latency: expected milliseconds .*, got \[-1,-1\]$/],
  [{ latency: [5, 1] }, /^latency: .*, got \[5,1\]$/],
  [{ fail: { rate: 2, status: 503 } }, /^fail: expected a share from 0 to 1/],
  [
    {
      fail: [
        { rate: 0.6, status: 503 },
        { rate: 0.6, status: 500 },
      ],
    },
    /^fail: expected shares that add up to 1 at most/,
  ],
  [{ fail: { rate: 0.1, status: 200 } }, /400 to 599/],
  [{ drop: Number.NaN }, /^drop: /],
  [{ seed: 0.5 }, /^seed: expected a whole number .*, got 0\.5$/],
  [{ rateLimit: { withKey: 0 } }, /^rateLimit\.withKey: /],
  [{ apiKeys: [] }, /^apiKeys: /],
  [{ keepRequests: -1 }, /^keepRequests: /],
])("options %j are rejected in one line", async ([options, error]) => {
  const reason: unknown = await startMock(options).catch((reason: unknown) => reason);
  expect(reason).toBeInstanceOf(OptionError);
  expect(reason).toHaveProperty("message", expect.stringMatching(error));
});
