import { expect, test } from "vitest";
import { mock } from "../src/vitest.ts";

const status = async (): Promise<number> => (await fetch(`${process.env["CHAIN_QUERY_URL"]}/api/v2/getMasterchainInfo`)).status;

// In this order the second fails where the first is not undone.
test.for(["one test", "the next"])("%s begins with a mock as it was when it started", async () => {
  expect(mock.requests).toEqual([]);
  expect(await status()).toBe(200);
  mock.override("getMasterchainInfo", 504);
  expect(await status()).toBe(504);
});
