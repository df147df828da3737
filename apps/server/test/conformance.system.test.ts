import { validateService } from "@chain-query/conformance";
import { expect, test } from "vitest";
import { busiestAddress } from "./fixtures/chain.ts";
import { sharedService } from "./fixtures/service.ts";

const service = sharedService();

test("the conformance kit passes every check", async () => {
  const accounts = [busiestAddress(0), busiestAddress()];
  const { results } = await validateService({ profile: "live", accounts, seed: 1, baseUrl: service.url, fuzz: 50 });
  expect(results.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
});
