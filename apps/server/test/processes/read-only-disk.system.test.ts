import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openKeyStore } from "../../src/limits/keys.ts";
import { ask } from "../fixtures/ask.ts";
import { copyChain } from "../fixtures/chain.ts";
import { startFromShell } from "../fixtures/command.ts";
import { temporaryFolder } from "../fixtures/service.ts";

/** Runs a command in a namespace of its own, in which the folder is mounted read-only. */
const mounting = `unshare --mount --map-root-user sh -c 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'`;
const canMount = spawnSync("sh", ["-c", `exec ${mounting} . true`]).status === 0;

// Some systems forbid namespaces to users.
describe.runIf(canMount)("a read-only disk", () => {
  test.each([
    ["without a folder of keys", 1],
    ["without a folder of keys, by two workers", 2],
  ])("is served %s", async (_, workers) => {
    using folder = temporaryFolder();
    const chain = copyChain(folder.path);
    await using command = startReadOnly(folder.path, chain, workers);
    expect((await ask(await command.url, "getMasterchainInfo")).status).toBe(200);
    const unknown = await ask(
      await command.url,
      "getMasterchainInfo",
      {},
      { "x-api-key": `cq_${"0".repeat(12)}_${"A".repeat(43)}` },
    );
    expect(unknown.status).toBe(401);
    expect(readdirSync(folder.path)).toEqual(["chain"]);
  });

  test("is served with its keys", async () => {
    using folder = temporaryFolder();
    const chain = copyChain(folder.path);
    const store = openKeyStore(join(folder.path, "chain.keys"));
    const { text } = await store.add("alice", { rate: 0 });
    await store.close();
    await using command = startReadOnly(folder.path, chain, 1);
    expect((await ask(await command.url, "getMasterchainInfo", {}, { "x-api-key": text })).status).toBe(200);
  });
});

function startReadOnly(folder: string, chain: string, workers: number): ReturnType<typeof startFromShell> {
  const flags = ["--port", "0", "--chain", chain, "--no-produce", "--workers", String(workers), "--log-level", "silent"];
  return startFromShell(`exec ${mounting} '${folder}' "$@"`, ...flags);
}
