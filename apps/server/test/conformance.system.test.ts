/** The conformance kit, run against the service. */
import { validateService } from "@chain-query/conformance";
import { describe, expect, test } from "vitest";
import { busiestAddress } from "./fixtures/chain.ts";
import { startService } from "./fixtures/service.ts";

const profile = { profile: "live", accounts: [busiestAddress(0), busiestAddress()], seed: 1 } as const;

describe("the conformance kit", () => {
  test("passes every check", async () => {
    await using service = await startService();
    const { results } = await validateService({ ...profile, baseUrl: service.url, fuzz: 600 });
    expect(results.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
  });

  test("finds the limits as they are documented", async () => {
    await using service = await startService({ keylessRate: 1 });
    const { text } = await service.keys.add("conformance", { rate: 0 });
    const { results } = await validateService({ ...profile, baseUrl: service.url, apiKey: text, checkLimits: true, fuzz: 5 });
    expect(results.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    const limits = results.filter(({ id }) => id.startsWith("limits/"));
    expect(limits.map(({ outcome }) => outcome)).toEqual(["passed", "passed"]);
  });
});
