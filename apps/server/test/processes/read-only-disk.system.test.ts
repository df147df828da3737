import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openKeyStore } from "../../src/limits/keys.ts";
import { ask, until } from "../fixtures/ask.ts";
import { copyChain } from "../fixtures/chain.ts";
import { startFromShell } from "../fixtures/command.ts";
import { temporaryFolder } from "../fixtures/service.ts";

/** Runs a command in a namespace of its own, in which the folder is mounted read-only. */
const mounting = `unshare --mount --map-root-user sh -c 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'`;
const canMount = spawnSync("sh", ["-c", `exec ${mounting} . true`]).status === 0;

// Some systems forbid namespaces to users.
describe.runIf(canMount)("a read-only disk", () => {
  test("is served without a folder of keys", async () => {
    using folder = temporaryFolder();
    const chain = copyChain(folder.path);
    await using command = startReadOnly(folder.path, chain, 1);
    const url = await command.url;
    expect((await ask(url, "getMasterchainInfo")).status).toBe(200);
    const unknown = { "x-api-key": `cq_${"0".repeat(12)}_${"A".repeat(43)}` };
    expect((await ask(url, "getMasterchainInfo", {}, unknown)).status).toBe(401);
    expect(readdirSync(folder.path)).toEqual(["chain"]);
  });

  test("is served with its keys by two workers", async () => {
    using folder = temporaryFolder();
    const chain = copyChain(folder.path);
    const store = openKeyStore(join(folder.path, "chain.keys"));
    const { text } = await store.add("alice", { rate: 0 });
    await store.close();
    await using command = startReadOnly(folder.path, chain, 2);
    const nodes = new Set<string | undefined>();
    await until(async () => {
      const key = { "x-api-key": text, connection: "close" };
      const { status, body } = await ask(await command.url, "getMasterchainInfo", {}, key);
      expect(status).toBe(200);
      nodes.add(body["@extra"]?.split(":")[1]);
      return nodes.size === 2 || undefined;
    });
  });
});

function startReadOnly(folder: string, chain: string, workers: number): ReturnType<typeof startFromShell> {
  const flags = ["--port", "0", "--chain", chain, "--no-produce", "--workers", String(workers), "--log-level", "silent"];
  return startFromShell(`exec ${mounting} '${folder}' "$@"`, ...flags);
}
