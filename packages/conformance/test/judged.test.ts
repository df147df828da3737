/** The judge is judged: it passes a right service, and notices each wrong one by the law that it breaks. */
import { describe, expect, test } from "vitest";
import { judgeService, type Report, type ServiceOptions } from "../src/index.ts";
import type { Service } from "./services/right-service.ts";
import { rightService } from "./services/right-service.ts";
import { serve } from "./services/serve.ts";
import { wrongServices } from "./services/wrong-services.ts";

async function judged(service: Service, options: Partial<ServiceOptions> = {}): Promise<Report> {
  await using served = await serve(service);
  return await judgeService({ baseUrl: served.url, profile: "live", requestsPerSecond: 0, seed: 1, timeout: 2000, ...options });
}

function failedIn({ results }: Report): string[] {
  return results.filter(({ outcome }) => outcome === "failed").map(({ id, operation }) => `${id} of ${operation}`);
}

test("a right service passes everything, and every check finds something to try", async () => {
  const report = await judged(rightService(), { fuzz: 200 });
  expect(report.results.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
  expect(report.totals.passed).toBeGreaterThan(250);
});

describe("a service that", () => {
  test.each(wrongServices)("$mistake is caught by $caughtBy", async ({ make, caughtBy, operation }) => {
    const fuzz = caughtBy.startsWith("fuzz/") ? 300 : 0;
    const report = await judged(make(), { fuzz, only: [operation] });
    expect(failedIn(report)).toContain(`${caughtBy} of ${operation}`);
  });

  test("is wrong in one thing only is told apart from others: each mistake is made once", () => {
    expect(new Set(wrongServices.map(({ mistake }) => mistake)).size).toBe(wrongServices.length);
    expect(wrongServices.length).toBeGreaterThanOrEqual(25);
  });
});
