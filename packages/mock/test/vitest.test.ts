import { describe, expect, test } from "vitest";

const url = (): string | undefined => process.env["CHAIN_QUERY_URL"];
const before = url();

// Its hooks are those of the suite that imports it.
describe("a test file with the setup file", async () => {
  const { mock } = await import("../src/vitest.ts");
  const status = async (): Promise<number> => (await fetch(`${url()}/api/v2/getMasterchainInfo`)).status;

  // The second fails if the override of the first is not reset.
  test.for(["one test", "the next"])("%s starts with a reset mock", async () => {
    expect(mock.requests).toEqual([]);
    expect(await status()).toBe(200);
    mock.override("getMasterchainInfo", 504);
    expect(await status()).toBe(504);
  });
});

test("the URL in the environment is the one before, when the mock is closed", () => {
  expect(url()).toBe(before);
});
