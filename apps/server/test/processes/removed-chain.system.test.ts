/** The folder of the chain is removed or replaced while the service runs. */
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { createChain } from "@chain-query/local-chain";
import { describe, expect, test } from "vitest";
import { ask, resultOf, until } from "../fixtures/ask.ts";
import { copyGrowingChain } from "../fixtures/chain.ts";
import { isAlive, start } from "../fixtures/command.ts";
import { temporaryFolder } from "../fixtures/service.ts";

const fresh = { connection: "close" };

describe("a chain folder that vanishes", () => {
  test("is reported, never replaced by a new chain, and served again when it returns", async () => {
    using folder = temporaryFolder();
    const chain = await copyGrowingChain(folder.path);
    const flags = ["--chain", chain, "--block-interval", "1s", "--keyless-rate", "0", "--workers", "2"];
    await using command = start("--port", "0", ...flags);
    const url = await command.url;
    const zeroState = async (): Promise<string> => (await resultOf(url, "getMasterchainInfo", {}, fresh)).init.root_hash;
    const init = await zeroState();
    const ready = async (): Promise<number> => (await fetch(`${url}/readyz`, { headers: fresh })).status;

    renameSync(chain, `${chain}.away`);
    await until(async () => ((await ready()) === 503 && (await ready()) === 503) || undefined);
    await until(() => command.log().some(({ msg }) => msg === "block producer died, restarting") || undefined);
    process.kill(command.pids("worker listening").find(isAlive) ?? 0, "SIGKILL");
    const deaths = () => command.log().filter(({ msg }) => msg === "worker died, restarting");
    await until(() => deaths().length > 1 || undefined);
    expect(deaths().at(-1)?.["reason"]).toMatch(/does not exist/);
    expect(existsSync(chain)).toBe(false);

    // Another chain in its place is neither served nor continued.
    mkdirSync(chain);
    await createChain(chain, { seed: 9, accounts: 20 });
    const seen = deaths().length;
    await until(() => deaths().length > seen || undefined);
    expect(deaths().at(-1)?.["reason"]).toMatch(/was replaced: it holds another chain/);
    for (let turn = 0; turn < 4; turn++) expect((await ask(url, "getMasterchainInfo", {}, fresh)).status).toBe(542);

    renameSync(chain, `${chain}.other`);
    renameSync(`${chain}.away`, chain);
    await until(() => command.pids("worker listening").filter(isAlive).length === 2 || undefined);
    await until(async () => (await ready()) === 200 || undefined);
    for (let turn = 0; turn < 4; turn++) expect(await zeroState()).toBe(init);
    await until(() => command.pids("producing blocks").length > 1 || undefined);
    expect(existsSync(join(chain, "chain.mdb"))).toBe(true);
  });
});
