import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import postgres from "postgres";
import { expect, test } from "vitest";

test("a server of killed tests ends, and its folder is removed", async () => {
  const script = `
    const { startPostgres } = await import(${JSON.stringify(new URL("../src/services/index.ts", import.meta.url).href)});
    const server = await startPostgres();
    console.log(JSON.stringify({ pid: server.pid, url: server.urlOf("postgres") }));
    setInterval(() => {}, 1000);
  `;
  const tests = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(tests.stdout, "data");
  const { pid, url }: { pid: number; url: string } = JSON.parse(String(line));
  const sql = postgres(url, { max: 1 });
  const [row] = await sql<{ data_directory: string }[]>`SHOW data_directory`;
  await sql.end();
  const folder = dirname(row?.data_directory ?? expect.unreachable());
  const left = () => ({ isRunning: isRunning(pid), hasFolder: existsSync(folder) });
  expect(left()).toEqual({ isRunning: true, hasFolder: true });
  tests.kill("SIGKILL");
  await expect.poll(left).toEqual({ isRunning: false, hasFolder: false });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
