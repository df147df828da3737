import { until } from "@chain-query/testing/until";
import { describe, expect, test } from "vitest";
import { ask } from "../fixtures/ask.ts";
import { startService } from "../fixtures/service.ts";

const operation = "getMasterchainInfo";

/** Calls at once as if from several addresses. Returns the sorted statuses. */
async function callFrom(url: string, addresses: readonly string[]): Promise<number[]> {
  const answers = await Promise.all(addresses.map((address) => ask(url, operation, {}, { "x-forwarded-for": address })));
  return answers.map(({ status }) => status).sort();
}

const statuses = async (answers: readonly Promise<{ status: number }>[]): Promise<Record<number, number>> => {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(answers)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

/** Sends requests at once, again if no window of a second had enough of them, until one is admitted and one is refused. */
function untilRefused<Answered extends { status: number }>(send: () => Promise<Answered>[]): Promise<Answered[]> {
  return until(async () => {
    const answers = await Promise.all(send());
    const seen = answers.map(({ status }) => status);
    return seen.includes(200) && seen.includes(429) ? answers : undefined;
  });
}

describe("the limit without a key", () => {
  test("admits one of several concurrent requests, and says when to retry", async () => {
    await using service = await startService({ keylessRate: 1 });
    const answers = await untilRefused(() => [1, 2, 3, 4].map(() => ask(service.url, operation)));
    const served = answers.find(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect(served?.headers.get("ratelimit")).toBe('"keyless";r=0;t=1');
    for (const { headers, body } of refused) {
      expect(body.error).toBe("rate limit exceeded: 1 request per second without an API key");
      expect(headers.get("retry-after")).toBe("1");
      expect(headers.get("ratelimit")).toBe('"keyless";r=0;t=1');
      expect(headers.get("ratelimit-policy")).toBe('"keyless";q=1;w=1');
      expect(headers.get("access-control-expose-headers")).toContain("Retry-After, RateLimit, RateLimit-Policy");
    }
  });

  test("counts invalid requests as well", async () => {
    await using service = await startService({ keylessRate: 1 });
    const send = () => statuses(Array.from({ length: 5 }, () => ask(service.url, "lookupBlock", {})));
    await expect.poll(async () => Object.keys(await send())).toEqual(["422", "429"]);
  });

  test("does not count preflights and pages, which have a limit of their own", async () => {
    await using service = await startService({ keylessRate: 1 });
    for (let round = 0; round < 5; round++) await fetch(`${service.url}/api/v2/${operation}`, { method: "OPTIONS" });
    for (const path of ["/healthz", "/readyz", "/metrics", "/openapi.json", "/nowhere", "/api/%zz"]) {
      const { headers } = await fetch(service.url + path);
      expect([path, headers.get("ratelimit")]).toEqual([path, expect.stringMatching(/^"page";r=\d+;t=1$/)]);
    }
    expect((await ask(service.url, operation)).status).toBe(200);
  });
});

test("an address is taken from X-Forwarded-For only behind a trusted proxy, and one of IPv6 counts by its first 64 bits", async () => {
  await using behind = await startService({ keylessRate: 1, trustedProxies: ["127.0.0.0/8"] });
  expect(await callFrom(behind.url, ["192.0.2.1", "192.0.2.2", "192.0.2.3"])).toEqual([200, 200, 200]);
  const expectOne = (url: string, addresses: readonly string[]) =>
    expect.poll(() => callFrom(url, addresses)).toEqual([200, 429]);
  await expectOne(behind.url, ["192.0.2.4", "192.0.2.4"]);
  // Only the entry that the proxy added counts.
  await expectOne(behind.url, ["192.0.2.5", "198.51.100.9, 192.0.2.5"]);
  await expectOne(behind.url, ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9"]);
  await using open = await startService({ keylessRate: 1 });
  await expectOne(open.url, ["192.0.2.1", "192.0.2.2"]);
});

describe("a key", () => {
  test("has its own rate, and does not count under the limit without a key", async () => {
    await using service = await startService({ keylessRate: 1 });
    const { text } = await service.keys.add("alice", { rate: 5 });
    const send = () => Array.from({ length: 40 }, () => ask(service.url, operation, {}, { "x-api-key": text }));
    const answers = await untilRefused(send);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(5);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body.error).toBe("rate limit exceeded: 5 requests per second with this API key");
    expect(refused?.headers.get("ratelimit-policy")).toBe('"key";q=5;w=1');
    expect((await ask(service.url, operation)).status).toBe(200);
    const unlimited = await service.keys.add("bob", { rate: 0 });
    const many = Array.from({ length: 50 }, () => ask(service.url, operation, {}, { "x-api-key": unlimited.text }));
    expect(await statuses(many)).toEqual({ 200: 50 });
  });

  test("that does not exist is refused, even where no key is needed", async () => {
    await using service = await startService({ keylessRate: 0 });
    const { text, record } = await service.keys.add("alice", { rate: 0 });
    const wrong = [
      "unknown",
      text.slice(0, -1),
      `${text.slice(0, -1)}${text.endsWith("A") ? "B" : "A"}`,
      `cq_${record.id}_${"A".repeat(43)}`,
      `${text}, ${text}`,
    ];
    for (const key of wrong) {
      const { body } = await ask(service.url, operation, {}, { "x-api-key": key });
      expect(body).toMatchObject({ code: 401, error: "API key does not exist" });
    }
    const empty = await fetch(`${service.url}/api/v2/${operation}`, { headers: { "x-api-key": "" } });
    expect(await empty.json()).toMatchObject({ code: 401, error: "X-API-Key is empty; send a key, or no such header" });
    const guess = () => statuses(Array.from({ length: 30 }, () => ask(service.url, operation, {}, { "x-api-key": "unknown" })));
    await expect.poll(async () => (await guess())[429]).toBeGreaterThan(0);
    expect((await ask(service.url, operation, {}, { "x-api-key": text })).status).toBe(200);
  });

  test("for another network is a 403", async () => {
    await using service = await startService({ networkName: "main" });
    const here = await service.keys.add("alice", { rate: 0, network: "main" });
    const there = await service.keys.add("bob", { rate: 5, network: "test" });
    expect((await ask(service.url, operation, {}, { "x-api-key": here.text })).status).toBe(200);
    const { body } = await ask(service.url, operation, {}, { "x-api-key": there.text });
    expect(body).toMatchObject({ code: 403, error: "the API key is not valid for this network" });
  });
});
