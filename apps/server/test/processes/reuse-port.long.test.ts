/** Several processes on one port of a machine. */

import { join } from "node:path";
import { until } from "@chain-query/testing/until";
import { expect, test } from "vitest";
import { startCallers } from "../fixtures/callers.ts";
import { testChain } from "../fixtures/chain.ts";
import { type RunningCommand, start } from "../fixtures/command.ts";
import { temporaryFolder } from "../fixtures/service.ts";

test("two processes share a port, and give eight callers no wrong response while they are restarted in turn", async () => {
  using folder = temporaryFolder();
  const flags = ["--chain", testChain, "--no-produce", "--keys", join(folder.path, "keys"), "--keyless-rate", "0"];
  const startOn = (port: string) =>
    start("--port", port, "--reuse-port", "--admin-address", "127.0.0.1:0", "--shutdown-delay", "1s", ...flags);
  await using processes = new AsyncDisposableStack();
  const first = processes.use(startOn("0"));
  const url = await first.url;
  const { port } = new URL(url);
  const second = processes.use(startOn(port));
  expect(await second.url).toBe(url);

  const count = 8;
  const callers = startCallers(url, { count, keepAlive: false });
  for (const command of [first, second]) {
    await until(async () => (await answeredBy(command)) > 20 || undefined);
    command.child.kill("SIGTERM");
    expect((await command.exit).code).toBe(0);
    await processes.use(startOn(port)).url;
  }
  const { answered } = callers.seen();
  await until(() => callers.seen().answered > answered + 100 || undefined);
  const { wrong, cut } = await callers.stop();
  expect(wrong).toEqual([]);
  // The system resets connections that a process has not accepted when it stops: one of each caller at most.
  expect(cut).toBeLessThanOrEqual(2 * count);
});

/** The responses of a process to operations. */
async function answeredBy(command: RunningCommand): Promise<number> {
  const admin = await until(() => command.log().find(({ msg }) => msg === "listening")?.["adminUrl"]);
  const text = await (await fetch(`${admin}/metrics`)).text();
  const counts = text.matchAll(/^chain_query_request_duration_seconds_count\{operation="get\w+",status="200"\} (\d+)$/gm);
  return Array.from(counts, ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0);
}
