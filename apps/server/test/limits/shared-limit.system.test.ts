import { test } from "vitest";
import { expectCountedTogether, instances, ownRedis } from "./shared-limit.ts";

test("three instances with Redis admit exactly the rate together", async ({ skip }) => {
  await using redis = await ownRedis(skip);
  await using three = await instances(redis, 3);
  await expectCountedTogether(redis, three.urls);
});
