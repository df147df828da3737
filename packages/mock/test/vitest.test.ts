import { expect, test } from "vitest";
import { mock } from "../src/vitest.ts";

const status = async (): Promise<number> => (await fetch(`${process.env["CHAIN_QUERY_URL"]}/api/v2/getMasterchainInfo`)).status;

// The second fails if the override of the first is not reset.
test.for(["one test", "the next"])("%s starts with a reset mock", async () => {
  expect(mock.requests).toEqual([]);
  expect(await status()).toBe(200);
  mock.override("getMasterchainInfo", 504);
  expect(await status()).toBe(504);
});
