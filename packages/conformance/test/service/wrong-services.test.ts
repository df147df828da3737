/** The judge is judged: it passes a right service, and notices each wrong one by the law that it breaks. */
import { describe, expect, test } from "vitest";
import { answerLaws } from "../../src/checks/answers/every-answer.ts";
import { limitChecks } from "../../src/checks/limits.ts";
import { liveChecks } from "../../src/checks/live/checks.ts";
import { judgeService, type Report, type ServiceOptions } from "../../src/index.ts";
import type { Service } from "../services/right-service.ts";
import { rightService } from "../services/right-service.ts";
import { serve } from "../services/serve.ts";
import { wrongServices } from "../services/wrong-services.ts";

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
  test.each(wrongServices)("$mistake is caught by $caughtBy", async ({ make, caughtBy, operation, options }) => {
    const fuzz = caughtBy.startsWith("fuzz/") ? 300 : 0;
    const report = await judged(make(), { fuzz, only: [operation], ...options });
    expect(failedIn(report)).toContain(`${caughtBy} of ${operation}`);
  });

  test("is there for every law of answers, every live check, every limit and each kind of refusal", () => {
    const caught = new Set(wrongServices.map(({ caughtBy }) => caughtBy));
    const due = [...answerLaws, ...liveChecks, ...limitChecks].map(({ id }) => id);
    expect(due.filter((id) => !caught.has(id))).toEqual([]);
    const kinds = ["answers", "examples", "live", "limits", "negative", "fuzz"];
    expect(new Set([...caught].map((id) => id.split("/")[0]))).toEqual(new Set(kinds));
  });

  test("is right in what it is not wrong in: the right one fails no check that has to catch another", async () => {
    const caught = new Set(wrongServices.map(({ caughtBy, operation }) => `${caughtBy} of ${operation}`));
    const failed = failedIn(await judged(rightService(), { fuzz: 0, profile: "examples" }));
    expect(failed.filter((name) => caught.has(name))).toEqual([]);
  });

  test("is wrong in one thing only is told apart from others: each mistake is made once", () => {
    expect(new Set(wrongServices.map(({ mistake }) => mistake)).size).toBe(wrongServices.length);
    expect(wrongServices.length).toBeGreaterThanOrEqual(25);
  });
});
