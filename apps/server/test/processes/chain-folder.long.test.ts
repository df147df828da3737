/** The folder of the chain: on a read-only disk, and removed or replaced while the service runs. */

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { createChain } from "@chain-query/local-chain";
import { until } from "@chain-query/testing/until";
import { describe, expect, test } from "vitest";
import { openApiKeyStore } from "../../src/limits/api-keys.ts";
import { ask, resultOf } from "../fixtures/ask.ts";
import { copyChain, copyGrowingChain } from "../fixtures/chain.ts";
import { start, startFromShell } from "../fixtures/command.ts";
import { temporaryFolder } from "../fixtures/service.ts";

/** Runs a command in a namespace of its own, in which the folder is mounted read-only. */
const mounting = `unshare --mount --map-root-user sh -c 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'`;
const canMount = spawnSync("sh", ["-c", `exec ${mounting} . true`]).status === 0;

// Some systems forbid namespaces to users.
describe.runIf(canMount)("a read-only disk", () => {
  test("is served without a folder of keys", async () => {
    using folder = temporaryFolder();
    const chain = copyChain(folder.path);
    await using command = startReadOnly(folder.path, chain);
    const url = await command.url;
    expect((await ask(url, "getMasterchainInfo")).status).toBe(200);
    const unknown = { "x-api-key": `cq_${"0".repeat(12)}_${"A".repeat(43)}` };
    expect((await ask(url, "getMasterchainInfo", {}, unknown)).status).toBe(401);
    expect(readdirSync(folder.path)).toEqual(["chain"]);
  });

  test("is served with its keys", async () => {
    using folder = temporaryFolder();
    const chain = copyChain(folder.path);
    const store = openApiKeyStore(join(folder.path, "chain.keys"));
    const { text } = await store.add("alice", { rate: 0 });
    await store.close();
    await using command = startReadOnly(folder.path, chain);
    expect((await ask(await command.url, "getMasterchainInfo", {}, { "x-api-key": text })).status).toBe(200);
  });
});

function startReadOnly(folder: string, chain: string): ReturnType<typeof startFromShell> {
  const flags = ["--port", "0", "--chain", chain, "--no-produce", "--log-level", "silent"];
  return startFromShell(`exec ${mounting} '${folder}' "$@"`, ...flags);
}

const fresh = { connection: "close" };

describe("a chain folder that vanishes", () => {
  test("is reported, never replaced by a new chain, and continued when it returns", async () => {
    using folder = temporaryFolder();
    const chain = await copyGrowingChain(folder.path);
    const flags = ["--chain", chain, "--block-interval", "1s", "--keyless-rate", "0"];
    await using command = start("--port", "0", ...flags);
    const url = await command.url;
    const zeroState = async (): Promise<string> => (await resultOf(url, "getMasterchainInfo", {}, fresh)).init.root_hash;
    const init = await zeroState();
    const ready = async (): Promise<number> => (await fetch(`${url}/readyz`, { headers: fresh })).status;

    renameSync(chain, `${chain}.away`);
    expect(await ready()).toBe(503);
    const deaths = () => command.log().filter(({ msg }) => msg === "block producer died, restarting");
    await until(() => deaths().length > 1 || undefined);
    expect(deaths().at(-1)?.["reason"]).toMatch(/does not exist/);
    expect(existsSync(chain)).toBe(false);

    // Another chain in its place is neither served nor continued.
    mkdirSync(chain);
    await createChain(chain, { seed: 9, accounts: 20 });
    const seen = deaths().length;
    await until(() => deaths().length > seen || undefined);
    expect(deaths().at(-1)?.["reason"]).toMatch(/was replaced: it holds another chain/);
    expect(await ready()).toBe(503);
    expect(await zeroState()).toBe(init);

    renameSync(chain, `${chain}.other`);
    renameSync(`${chain}.away`, chain);
    expect(await ready()).toBe(200);
    expect(await zeroState()).toBe(init);
    await until(() => command.pids("producing blocks").length > 1 || undefined);
    expect(existsSync(join(chain, "chain.mdb"))).toBe(true);
  });
});
