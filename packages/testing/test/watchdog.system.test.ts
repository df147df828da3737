import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { serversFolder } from "../src/services/server.ts";

test("servers of killed tests end, and their folders are removed", async () => {
  const script = `
    const { startPostgres } = await import(${JSON.stringify(new URL("../src/services/index.ts", import.meta.url).href)});
    const server = await startPostgres();
    const standby = await server.startStandby();
    console.log(JSON.stringify([server.pid, standby.pid]));
    setInterval(() => {}, 1000);
  `;
  const folder = await serversFolder();
  const before = new Set(await readdir(folder));
  const tests = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  const [line]: [Buffer] = (await once(tests.stdout, "data")) as [Buffer];
  const pids: number[] = JSON.parse(String(line));
  expect(pids.filter(isRunning)).toEqual(pids);
  tests.kill("SIGKILL");
  const left = async () => ({
    running: pids.filter(isRunning),
    folders: (await readdir(folder)).filter((name) => name.startsWith("chain-query-postgres-") && !before.has(name)),
  });
  await expect.poll(left).toEqual({ running: [], folders: [] });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
