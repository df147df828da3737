import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@chain-query/testing/folders";
import { describe, expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { openChain } from "../src/index.ts";
import { command, invoke, run, runUntil } from "./command/invoke.ts";

const SMALL = ["--accounts", "12", "--shards", "2", "--rate", "5"] as const;

test("prints its version", async () => {
  expect(await run("--version")).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: "" });
});

test("prints no error if the reader of its output closes", async () => {
  const child = spawn("sh", ["-c", `"$@" | head -1`, "sh", process.execPath, command, "--help"]);
  let stderr = "";
  child.stderr.on("data", (text) => {
    stderr += text;
  });
  await once(child, "close");
  expect(stderr).toBe("");
});

describe("Ctrl-C", () => {
  test("ends advance after a whole block", async () => {
    const directory = join(temporaryFolder(), "chain");
    await invoke("init", directory, "--seed", "1", ...SMALL);
    const { code, stdout, stderr } = await runUntil("SIGINT", "advance", directory, "100000");
    expect({ code, stderr }).toEqual({ code: 130, stderr: "" });
    const [, done = ""] = /^stopped after (\d+) of 100000 blocks; masterchain block \1, /.exec(stdout) ?? [];
    expect((await invoke("verify", directory)).stdout).toContain(` ${done} steps, `);
  });

  test("ends run after a whole block, which has the time of the clock", async () => {
    const directory = join(temporaryFolder(), "chain");
    await invoke("init", directory, "--seed", "1", ...SMALL);
    const { code, stdout, stderr } = await runUntil("SIGINT", "run", directory, "--block-interval", "1", "--rate", "2");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/: a block every 1 s from 1 on, until Ctrl-C\nended at masterchain block \d+\n$/);
    const chain = openChain(directory);
    expect(Math.abs(chain.head().block.time - Date.now() / 1000)).toBeLessThan(60);
    await chain.close();
    expect(existsSync(join(directory, "chain.mdb"))).toBe(true);
    expect(readFileSync(join(directory, "writer.lock"), "utf8")).toMatch(/^\d+\n$/);
  });

  test("ends run on a chain ahead of the clock, which prints a note", async () => {
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
});
