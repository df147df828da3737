import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startMock } from "@chain-query/mock";
import { temporaryFolder } from "@chain-query/testing/folders";
import { showIfFailed } from "@chain-query/testing/until";
import { expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import type { Report } from "../src/index.ts";
import { conformingService, type Reply } from "./fake-service/conforming.ts";
import { serve } from "./fake-service/serve.ts";

const command = fileURLToPath(new URL(`../${manifest.bin["chain-query-conformance"]}`, import.meta.url));

function start(...args: string[]): { child: ChildProcess; ended: Promise<{ code: number; stdout: string; stderr: string }> } {
  const child = spawn(process.execPath, ["--no-warnings", command, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  showIfFailed(`chain-query-conformance ${args.join(" ")}`, () => output.stdout + output.stderr);
  return { child, ended: once(child, "close").then(([code]) => ({ code, ...output })) };
}

test("prints one line for an invalid argument and exits with 2", async () => {
  const outcome = await start("http://host", "--fuzz", "many").ended;
  const stderr = 'chain-query-conformance: --fuzz: expected a whole number from 0 to 1000000, got "many"\n';
  expect(outcome).toEqual({ code: 2, stdout: "", stderr });
});

test("prints its version", async () => {
  expect(await start("--version").ended).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: "" });
});

test("reports the results so far at Ctrl-C", async () => {
  let answered = 0;
  let reached = (): void => {};
  const tenth = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const finish = (reply: Reply): Reply => {
    if (++answered === 10) reached();
    return reply;
  };
  await using service = await serve({ ...conformingService(), finish });
  const report = join(temporaryFolder(), "early.json");
  const args = [service.url, "--profile", "live", "--requests-per-second", "20", "--report", `json=${report}`];
  const { child, ended } = start(...args);
  await tenth;
  child.kill("SIGINT");
  const { code, stdout } = await ended;
  expect([code, stdout.includes("\nInterrupted: the report contains")], stdout).toEqual([2, true]);
  const { interrupted, totals }: Report = JSON.parse(await readFile(report, "utf8"));
  expect(interrupted).toBe(true);
  expect(totals.passed).toBeGreaterThan(0);
});

test("keeps its exit code if stdout is closed early", async () => {
  await using mock = await startMock();
  const { child, ended } = start(mock.url, "--requests-per-second", "0", "--only", "getMasterchainInfo");
  child.stdout?.destroy();
  expect(await ended).toMatchObject({ code: 0, stderr: "" });
});
