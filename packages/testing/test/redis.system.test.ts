import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { startRedis } from "../src/services/index.ts";

test("Redis with a password is killed, and starts again empty on the same port", async ({ skip }) => {
  const server = await startRedis({ password: "pass word" });
  if ("reason" in server) return skip(server.reason);
  await using redis = server;
  const client = new Redis(redis.url);
  await client.set("key", "value");
  expect(await client.get("key")).toBe("value");
  await redis.kill();
  await redis.start();
  expect(await client.get("key")).toBeNull();
  client.disconnect();

  const stranger = new Redis(redis.port, "127.0.0.1").on("error", () => undefined);
  await expect(stranger.get("key")).rejects.toThrow("NOAUTH");
  stranger.disconnect();
});
