import { expect, test } from "vitest";
import { copyGrowingChain } from "../fixtures/chain.ts";
import { soak } from "./soak.ts";

test("the service passes a few seconds of the soak test", async () => {
  const plan = { seconds: 1, seed: 1, disturbances: 3, maxPause: 200, slowFor: 500, makeChain: copyGrowingChain };
  const { faults, disturbances, answered } = await soak(plan);
  expect(faults).toEqual([]);
  expect(answered).toBeGreaterThan(50);
  expect(Object.values(disturbances).filter((count) => count > 0).length).toBeGreaterThan(2);
});
