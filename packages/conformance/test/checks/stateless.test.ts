/** The limit checks run on a clock that only their own waiting advances. */
import { describe, expect, test } from "vitest";
import { NotApplicable } from "../../src/checks/check.ts";
import { limitChecks } from "../../src/checks/stateless.ts";
import { documentedRequests, otherStatuses } from "../../src/contract/documented-requests.ts";
import { openHttpSender } from "../../src/service/http.ts";
import { conformingService, type Service } from "../fake-service/conforming.ts";
import { faults } from "../fake-service/faults/all.ts";
import { serve } from "../fake-service/serve.ts";

/** Runs a limit check; returns its failed expectations, and advances the clock where it waits. */
async function failuresOf(id: string, service: Service, clock: { now: number } = { now: 0 }): Promise<string[]> {
  await using served = await serve(service);
  const { signal } = new AbortController();
  const sender = openHttpSender({
    headers: {},
    baseUrl: served.url,
    apiKey: "a-key",
    requestsPerSecond: 0,
    timeout: 60_000,
    signal,
  });
  const failures: string[] = [];
  const context = {
    ...sender,
    wait: async (milliseconds: number) => {
      clock.now += milliseconds;
    },
    expect: (holds: boolean, _: unknown, expected: string) => {
      if (!holds) failures.push(expected);
    },
    shared: new Map(),
    seed: 1,
    fuzz: 0,
    accounts: [],
  };
  const check = limitChecks.find((one) => one.id === id);
  if (check === undefined) throw new NotApplicable(`there is no check ${id}`);
  await check.run(context).finally(() => sender.close());
  return failures;
}

/** A service that serves one request without a key in each period. */
function limited(clock: { now: number }, period: number, retryAfter?: string): Service {
  let latest = Number.NEGATIVE_INFINITY;
  const isOverLimit = (): boolean => {
    const isOver = clock.now - latest < period;
    if (!isOver) latest = clock.now;
    return isOver;
  };
  return {
    ...conformingService(),
    isOverLimit: ({ headers }) => headers["x-api-key"] === undefined && isOverLimit(),
    finish: (reply) =>
      reply.status === 429 && retryAfter !== undefined ? { ...reply, headers: { "retry-after": retryAfter } } : reply,
  };
}

describe("limits/keyless", () => {
  test("passes if the second request within a second is rejected", async () => {
    const clock = { now: 0 };
    expect(await failuresOf("limits/keyless", limited(clock, 1000), clock)).toEqual([]);
    expect(clock.now).toBe(3100);
  });

  test("fails if the request is still rejected after Retry-After", async () => {
    const clock = { now: 0 };
    expect(await failuresOf("limits/keyless", limited(clock, 5000), clock)).toEqual(["200 a second later"]);
  });

  test("fails if Retry-After is not in whole seconds", async () => {
    const clock = { now: 0 };
    const failures = await failuresOf("limits/keyless", limited(clock, 1000, "0.5"), clock);
    expect(failures).toEqual(["Retry-After in whole seconds, if sent"]);
  });
});

test("limits/unknown-key passes if an unknown key is rejected", async () => {
  expect(await failuresOf("limits/unknown-key", conformingService())).toEqual([]);
});

const limitFaults = faults.filter(({ caughtBy }) => caughtBy.startsWith("limits/"));

test.each(limitFaults)("a service that $mistake is caught by $caughtBy", async ({ make, caughtBy }) => {
  expect(await failuresOf(caughtBy, make())).not.toEqual([]);
});

const statusesOf = (name: string): readonly number[] | undefined =>
  documentedRequests.find(({ request, condition }) => `${request.operation}.${condition}` === name)?.statuses;

test("documentedRequests accept another status where the documented one depends on the deployment or on the time", () => {
  for (const name of Object.keys(otherStatuses)) expect(statusesOf(name), name).toHaveLength(2);
  expect(statusesOf("tryLocateResultTx.not-yet-processed")).toEqual([404, 200]);
  expect(statusesOf("tryLocateResultTx.not-found")).toEqual([404]);
});
