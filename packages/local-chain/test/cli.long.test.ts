/** Signals to the command, beside those of `cli.system.test.ts`. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { openChain } from "../src/index.ts";
import { invoke, runUntil } from "./command/invoke.ts";
import { temporaryFolder } from "./test-folders.ts";

const SMALL = ["--accounts", "12", "--shards", "2", "--rate", "5"] as const;

test("SIGTERM ends advance after a whole block", async () => {
  const directory = join(temporaryFolder(), "chain");
  await invoke("init", directory, "--seed", "1", ...SMALL);
  const { code, stdout, stderr } = await runUntil("SIGTERM", "advance", directory, "100000");
  expect({ code, stderr }).toEqual({ code: 143, stderr: "" });
  const [, done = ""] = /^stopped after (\d+) of 100000 blocks; masterchain block \1, /.exec(stdout) ?? [];
  expect((await invoke("verify", directory)).stdout).toContain(` ${done} steps, `);
});

test("SIGINT ends run on a chain ahead of the clock, which prints a note", async () => {
  const directory = join(temporaryFolder(), "chain");
  const startTime = Math.floor(Date.now() / 1000) + 3_000;
  await invoke("init", directory, "--seed", "1", ...SMALL, "--start-time", String(startTime));
  const { stdout } = await runUntil("SIGINT", "run", directory, "--block-interval", "2", "--rate", "1");
  const [, ahead, until = ""] = /\nthe chain is (\d+) s ahead of the clock: .* at about (\S+)\n/.exec(stdout) ?? [];
  expect(Number(ahead)).toBeGreaterThan(2_900);
  // The clock gains one second of every two.
  expect(Math.abs(Date.parse(until) / 1000 - (startTime + 3_000))).toBeLessThan(100);
  const chain = openChain(directory);
  const { id, time } = chain.head().block;
  expect(time).toBe(startTime + id.seqno);
  await chain.close();
});
