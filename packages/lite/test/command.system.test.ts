/** The command of the lite client, as a process, against lite servers. */

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hex } from "@chain-query/format/cells";
import { sharedFolder } from "@chain-query/testing/folders";
import { showIfFailed, until } from "@chain-query/testing/until";
import { expect, test } from "vitest";
import { formatGlobalConfig } from "../src/answers/server.ts";
import { futureHead } from "../src/faults/chain-tips.ts";
import { silentConnection } from "../src/faults/connections.ts";
import { existing, openMade, SIGNED, SIGNED_STEPS, serve, serveChain } from "./served-chain.ts";

const bin = fileURLToPath(new URL("../bin/chain-query-lite.js", import.meta.url));

const served = await serveChain(12);
const folder = sharedFolder();
const config = join(folder, "global.config.json");
writeFileSync(config, formatGlobalConfig(served.server.config()));

interface Run {
  readonly code: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

const run = (...args: readonly string[]): Promise<Run> => runNode(bin, ...args);
/** With a stderr that the command takes for a terminal. */
const runOnTerminal = (...args: readonly string[]): Promise<Run> =>
  runNode("--import", "data:text/javascript,process.stderr.isTTY=true", bin, ...args);

async function runNode(...args: readonly string[]): Promise<Run> {
  return await new Promise((resolve) => {
    execFile(process.execPath, args, (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }));
  });
}

test("prints servers, head, an account and the verified parts", async () => {
  const account = existing(served.accounts.find((one) => one.workchain === 0 && served.chain.account(one)?.code));
  const { block } = served.chain.head();
  const { code, stdout, stderr } = await run(config, "--account", `0:${hex(account.hash)}`);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^[0-9a-f]{8} {2}ready {2}12 +0\.00 s +\d+\.\d ms$/m);
  expect(stdout).toMatch(new RegExp(`^head {5}12, made .*, root hash ${hex(block.id.rootHash)}$`, "m"));
  expect(stdout).toContain(
    `0:${hex(account.hash)} is active, has ${served.chain.account(account)?.balance} of the smallest unit`,
  );
  expect(stdout).toMatch(/^checked {2}head: [1-9]\d* signatures of validators, from block 0 on$/m);
});

test("verifies the head from the zero state, and the next time from the anchor; a terminal shows the progress", async () => {
  const server = await serve(await openMade({ ...SIGNED, steps: SIGNED_STEPS }));
  const file = join(folder, "signed.json");
  writeFileSync(file, formatGlobalConfig(server.config()));
  const args = [file, "--lite-anchor", join(folder, "anchor.json")];
  const first = await runOnTerminal(...args);
  const second = await run(...args);
  expect([first.code, second.code, second.stderr]).toEqual([0, 0, ""]);
  const lines = first.stderr.split("\r\u001b[K").filter(Boolean);
  // Two answers, the first of which has 16 links.
  expect(lines).toEqual([32, 36].map((seqno) => expect.stringContaining(`key block ${seqno} of ${SIGNED_STEPS}, `)));
  expect(first.stdout).toMatch(/^checked {2}head: \d+ signatures of validators, from block 0 on$/m);
  expect(second.stdout).toMatch(/^checked {2}head: [34] signatures of validators, from block 36 on$/m);
});

test("shows a server that reports no verified block, or believes its operator that it does", async () => {
  const fork = await serve(served.chain, futureHead(400));
  const file = join(folder, "fork.json");
  const liteservers = [served.server, fork].flatMap((server) => server.config().liteservers);
  writeFileSync(file, formatGlobalConfig({ ...served.server.config(), liteservers }));
  const { code, stdout } = await run(file);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^[0-9a-f]{8} {2}disputed {2}412 /m);
  expect(stdout).toMatch(/^head {5}12, /m);
  const key = Buffer.from(served.server.publicKey).toString("base64");
  const believed = await run(file, "--lite-head-from", key);
  expect(believed.code).toBe(0);
  expect(believed.stdout).toMatch(/^head {5}12, /m);
  expect(believed.stdout).toMatch(
    /^checked {2}head: the newest block is that of lite server [0-9a-f]{8}, and is not verified by signatures$/m,
  );
});

test.each([
  [fileURLToPath(new URL("../package.json", import.meta.url)), "liteservers: must list at least one lite server, got none"],
  [join(folder, "missing.json"), "ENOENT: no such file or directory, .*"],
])("refuses %s, which is no configuration, with one line and exit code 2", async (file, reason) => {
  const { code, stdout, stderr } = await run(file);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(new RegExp(`^chain-query-lite: ${file}: ${reason}\\n$`));
});

test("reports which server cannot be reached, with exit code 1", async () => {
  const unreachable = join(folder, "unreachable.json");
  // The port of DNS over TCP, which is not open on this machine.
  writeFileSync(unreachable, formatGlobalConfig(served.server.config()).replace(`"port": ${served.server.port}`, '"port": 53'));
  const { code, stdout, stderr } = await run(unreachable);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^[0-9a-f]{8} {2}failing {2}- .*ECONNREFUSED/m);
  expect(stderr).toMatch(/^chain-query-lite: no lite server is connected; .*\n$/);
});

test("ends at Ctrl-C without a trace", async () => {
  const stalled = await serve(served.chain, silentConnection());
  const file = join(folder, "stalled.json");
  writeFileSync(file, formatGlobalConfig(stalled.config()));
  const child: ChildProcess = spawn(process.execPath, [bin, file]);
  let printed = "";
  showIfFailed("the lite client", () => printed);
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (printed += chunk));
  await until(
    () => printed,
    (text) => text.includes("network"),
  );
  child.kill("SIGINT");
  expect(await once(child, "exit")).toEqual([130, null]);
  expect(printed).toMatch(/chain-query-lite: interrupted\n/);
  expect(printed).not.toContain("    at ");
});
