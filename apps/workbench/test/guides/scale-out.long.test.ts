/** The commands of the guide Scale out as they are written, on a real PostgreSQL and a real Redis. */
import { sharedPostgres, startRedis } from "@chain-query/testing/services";
import { expect, test } from "vitest";
import { blocksOf, type Lasting, startReader } from "./reader.ts";

const lasting: readonly Lasting[] = [
  [/indexer run /, (output) => output.includes('"phase":"following"')],
  [/local-chain run /, () => true],
  [/chain-query\/server --port/, (output) => output.includes("http://")],
];

test("every command of the guide works, one after another", async ({ skip }) => {
  const redis = await startRedis();
  if ("reason" in redis) return skip(redis.reason);
  await using _redis = redis;
  const postgres = await sharedPostgres();
  const replacements = {
    "postgres://chain@127.0.0.1:5432/chain": await postgres.createDatabase(),
    "redis://127.0.0.1:6379": redis.url,
  };
  await using reader = await startReader("scale-out", ["8081", "8082"], lasting, replacements);
  const printed: string[] = [];
  for (const block of blocksOf("scale-out.md")) printed.push(await reader.run(block));

  expect(printed.join("\n")).toMatch(/"seqno":\d+[\s\S]*"seqno":\d+/);
});
