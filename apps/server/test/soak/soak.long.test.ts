import { expect, test } from "vitest";
import { soak } from "./soak.ts";

test("the service passes a minute of the soak test", async () => {
  const { faults, disturbances, answered } = await soak({ seconds: 60, seed: 1, maxPause: 1_500 });
  expect(faults).toEqual([]);
  expect(answered).toBeGreaterThan(1_000);
  expect(Object.values(disturbances).filter((count) => count === 0)).toEqual([]);
});
