/** A conforming service passes, and the fault is found of each service that differs from it in one thing. */
import { describe, expect, test } from "vitest";
import { selectChecks } from "../../src/checks/suite.ts";
import type { Report, ServiceOptions } from "../../src/index.ts";
import { responseRules } from "../../src/rules/exchange.ts";
import { validateByChecks } from "../../src/service/validate-service.ts";
import { conformingService, HttpError, type Service } from "../fake-service/conforming.ts";
import { faults } from "../fake-service/faults/all.ts";
import { serve } from "../fake-service/serve.ts";

/** Validates a service by all checks, or by the checks with certain ids. */
async function validated(
  service: Service,
  options: Partial<ServiceOptions> = {},
  isDue = (_: string) => true,
): Promise<Report> {
  await using served = await serve(service);
  const { profile = "live", only = [], checkLimits = false, fuzz = 0 } = options;
  const checks = selectChecks({ profile, only, checkLimits, fuzz }).filter(({ id }) => isDue(id));
  return await validateByChecks(checks, { baseUrl: served.url, profile, requestsPerSecond: 0, seed: 1, ...options });
}

function failedIn({ results }: Report): string[] {
  return results.filter(({ outcome }) => outcome === "failed").map(({ id, operation }) => `${id} of ${operation}`);
}

test("a conforming service passes every check, and no check is not applicable", async () => {
  const report = await validated(conformingService(), { fuzz: 100 });
  expect(report.results.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
  expect(report.totals.passed).toBeGreaterThan(250);
});

test("a service that does not know the size of a queue passes", async () => {
  const { handlers, ...rest } = conformingService();
  const getOutMsgQueueSize = () => {
    throw new HttpError(542, "the queue size of shard 0 is not known yet");
  };
  const service = { ...rest, handlers: { ...handlers, getOutMsgQueueSize } };
  const report = await validated(service, { only: ["getOutMsgQueueSize"] }, (id) => id.startsWith("live/"));
  expect(failedIn(report)).toEqual([]);
  const notApplicable = report.results.filter(({ outcome }) => outcome === "not applicable").map(({ id }) => id);
  expect(notApplicable).toEqual(["live/queues-masterchain-first", "live/queues-of-every-shard", "live/queue-blocks"]);
});

describe("a service that", () => {
  // The limit checks wait for seconds; see stateless.test.ts.
  const fast = faults.filter(({ caughtBy }) => !caughtBy.startsWith("limits/"));

  test.each(fast)("$mistake is caught by $caughtBy", async ({ make, caughtBy, operation, options }) => {
    const fuzz = caughtBy.startsWith("fuzz/") ? 300 : 0;
    // The rules of responses see every response; large requests add nothing to them.
    const isDue = (id: string): boolean =>
      caughtBy.startsWith("responses/") ? !/of-a-megabyte|two-megabytes/.test(id) : id === caughtBy;
    const report = await validated(make(), { fuzz, only: [operation], ...options }, isDue);
    expect(failedIn(report)).toContain(`${caughtBy} of ${operation}`);
  });
});

test("every rule of responses, live check, limit check and kind of check has a faulty service", () => {
  const caught = new Set(faults.map(({ caughtBy }) => caughtBy));
  const checks = selectChecks({ profile: "live", only: [], checkLimits: true, fuzz: 0 });
  const due = [...responseRules, ...checks.filter(({ id }) => !/^(extra|negative)\//.test(id))].map(({ id }) => id);
  expect(due.filter((id) => !caught.has(id))).toEqual([]);
  const kinds = ["responses", "examples", "live", "limits", "extra", "negative", "fuzz"];
  expect(new Set([...caught].map((id) => id.split("/")[0]))).toEqual(new Set(kinds));
});

test("with the examples profile the conforming service fails no check that a faulty service fails", async () => {
  const caught = new Set(faults.map(({ caughtBy, operation }) => `${caughtBy} of ${operation}`));
  const failed = failedIn(await validated(conformingService(), { profile: "examples" }));
  expect(failed.filter((name) => caught.has(name))).toEqual([]);
});
