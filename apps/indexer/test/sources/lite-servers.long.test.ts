import { afterAll, beforeAll, expect, test } from "vitest";
import { expectStepsOfChain, type ServedChain, STEPS, serveChain } from "./served-chain.ts";

let served: ServedChain;

beforeAll(async () => {
  served = await serveChain();
});
afterAll(() => served.close());

test("all steps from lite servers equal those of the chain in all fields", async () => {
  expect((await expectStepsOfChain(served, { from: 1, to: STEPS })).length).toBe(STEPS);
});
