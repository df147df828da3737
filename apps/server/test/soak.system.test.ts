import { expect, test } from "vitest";
import { soak } from "../bench/soak.ts";

test("the service stands a quarter of a minute of the soak test", async () => {
  const { faults, disturbances, answered } = await soak({ seconds: 15, seed: 1, disturbances: 3 });
  expect(faults).toEqual([]);
  expect(answered).toBeGreaterThan(500);
  expect(Object.values(disturbances).filter((count) => count > 0).length).toBeGreaterThan(2);
});
