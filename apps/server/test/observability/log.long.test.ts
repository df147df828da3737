import { join } from "node:path";
import { until } from "@chain-query/testing/until";
import { describe, expect, test } from "vitest";
import { ask } from "../fixtures/ask.ts";
import { testChain } from "../fixtures/chain.ts";
import { startFromShell } from "../fixtures/command.ts";
import { temporaryFolder } from "../fixtures/service.ts";

const flagsIn = (folder: string) => [
  "--chain",
  testChain,
  "--no-produce",
  "--keys",
  join(folder, "keys"),
  "--keyless-rate",
  "0",
];

describe.runIf(process.platform === "linux")("a service whose log cannot be written", () => {
  test("responds and counts the lost lines", async () => {
    using folder = temporaryFolder();
    await using command = startFromShell('exec "$@" 2>/dev/full', "--port", "0", ...flagsIn(folder.path), "--log-requests");
    const url = await command.url;
    for (let count = 0; count < 5; count++) expect((await ask(url, "getMasterchainInfo")).status).toBe(200);
    const lost = await until(async () => {
      const text = await (await fetch(`${url}/metrics`)).text();
      return /^chain_query_log_lines_lost_total (\d+)$/m.exec(text)?.[1];
    });
    expect(Number(lost)).toBeGreaterThan(5);
    command.child.kill("SIGTERM");
    expect((await command.exit).code).toBe(0);
  });

  test("runs on if its URL cannot be written either", async () => {
    using folder = temporaryFolder();
    await using command = startFromShell('exec "$@" >/dev/full', "--port", "0", ...flagsIn(folder.path));
    const url = await until(() => command.log().find(({ msg }) => msg === "listening")?.["url"]);
    for (let count = 0; count < 2; count++) expect((await fetch(`${url}/healthz`)).status).toBe(200);
    command.child.kill("SIGTERM");
    const { code, stderr } = await command.exit;
    const lines = stderr.split("\n").filter((line) => line !== "" && !line.startsWith("{"));
    expect(lines).toEqual([expect.stringMatching(/^chain-query-server: stdout cannot be written: ENOSPC: [^\n]+$/)]);
    expect(code).toBe(0);
  });

  test("has no open descriptor for it", async () => {
    using folder = temporaryFolder();
    await using command = startFromShell('exec "$@" 2>&-', "--port", "0", ...flagsIn(folder.path), "--log-requests");
    expect((await ask(await command.url, "getMasterchainInfo")).status).toBe(200);
  });
});
