/** The judge of any deployment, over this one. */
import { judgeService } from "@chain-query/conformance";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type KnownChain, longest, openKnownChain, rawOf } from "./known.ts";
import { startService } from "./service.ts";

let chain: KnownChain;

beforeAll(() => {
  chain = openKnownChain();
});
afterAll(() => chain.reader.close());

/** Those with the most to tell, of both workchains. */
const accounts = (): string[] => {
  const ofBasechain = { ...chain, histories: chain.histories.filter(([newest]) => newest?.account.workchain === 0) };
  return [longest(ofBasechain), longest(chain)].flatMap(([newest]) => (newest === undefined ? [] : [rawOf(newest.account)]));
};

const failed = ({ results }: Awaited<ReturnType<typeof judgeService>>) => results.filter(({ outcome }) => outcome === "failed");

describe("the conformance kit", () => {
  test("finds nothing wrong, and nothing that it could not try", async () => {
    await using service = await startService();
    const report = await judgeService({ baseUrl: service.url, profile: "live", accounts: accounts(), fuzz: 600, seed: 1 });
    expect(failed(report)).toEqual([]);
    expect(report.results.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
  });

  test("finds the limits as they are documented", async () => {
    await using service = await startService("--keyless-rate", "1");
    const { text } = await service.keys.add("judge", { rate: 0 });
    const report = await judgeService({
      baseUrl: service.url,
      profile: "live",
      accounts: accounts(),
      apiKey: text,
      checkLimits: true,
      fuzz: 60,
      seed: 1,
    });
    expect(failed(report)).toEqual([]);
    expect(report.results.filter(({ id }) => id.startsWith("limits/")).map(({ outcome }) => outcome)).toEqual([
      "passed",
      "passed",
    ]);
  });
});
