/** The block producer: creating a chain, restarts, one writer, a full disk. */
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { createChain, openChain } from "@chain-query/local-chain";
import { describe, expect, test } from "vitest";
import { resultOf, until } from "../fixtures/ask.ts";
import { startCallers } from "../fixtures/callers.ts";
import { copyChain, copyGrowingChain } from "../fixtures/chain.ts";
import { isAlive, type RunningCommand, run, start, startFromShell } from "../fixtures/command.ts";
import { temporaryFolder } from "../fixtures/service.ts";

const producerPids = (command: RunningCommand): number[] => command.pids("producing blocks");
const seqnoAt = async (url: string): Promise<number> => {
  return (await resultOf(url, "getConsensusBlock", {}, { connection: "close" })).consensus_block;
};
const nextBlock = async (url: string): Promise<void> => {
  const head = await seqnoAt(url);
  await until(async () => (await seqnoAt(url)) > head || undefined);
};

describe("the block producer", () => {
  test("stops within a block while it creates a chain, then continues it as its only writer, and stops with the service", async () => {
    using folder = temporaryFolder();
    const chain = join(folder.path, "chain");
    const flags = ["--port", "0", "--chain", chain, "--block-interval", "1", "--seed", "7", "--keyless-rate", "0"];
    const first = start(...flags);
    await until(() => first.log().some(({ msg }) => msg === "creating a chain") || undefined);
    first.child.kill("SIGTERM");
    expect(await first.exit).toMatchObject({ code: 0, stdout: "" });

    const second = start(...flags);
    const { init } = await resultOf(await second.url, "getMasterchainInfo");
    expect(await seqnoAt(await second.url)).toBeLessThan(120);
    second.child.kill("SIGINT");
    expect((await second.exit).code).toBe(0);

    await using command = start(...flags);
    const url = await command.url;
    const head = await until(async () => [await seqnoAt(url)].find((seqno) => seqno > 120));
    expect((await resultOf(url, "getMasterchainInfo")).init).toEqual(init);
    const progress = command.log().filter(({ msg }) => msg === "producing the first blocks");
    expect(progress.at(-1)?.["block"]).toBe(120);
    expect(progress.map(({ block }) => block)).toEqual([20, 40, 60, 80, 100, 120].slice(-progress.length));
    const rival = await run(...flags, "--keys", join(folder.path, "keys"), "--log-level", "silent");
    expect(rival).toMatchObject({ code: 2, stdout: "" });
    expect(rival.stderr).toMatch(
      /^chain-query-server: [^\n]* is being written by process \d+; a chain has one writer at a time\n$/,
    );
    command.child.kill("SIGTERM");
    expect((await command.exit).code).toBe(0);
    expect(producerPids(command).filter(isAlive)).toEqual([]);
    const reader = openChain(chain);
    expect(reader.head().block.id.seqno).toBeGreaterThanOrEqual(head);
    await reader.close();
  });

  test("creates no chain if the port is in use", async () => {
    using folder = temporaryFolder();
    const chain = join(folder.path, "chain");
    const other = createServer();
    await once(other.listen(0, "127.0.0.1"), "listening");
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await run("--port", String(port), "--chain", chain);
    other.close();
    expect([code, stderr]).toEqual([
      2,
      `chain-query-server: port ${port} is in use on 127.0.0.1; choose another, or 0 for any free port\n`,
    ]);
    expect(existsSync(chain)).toBe(false);
  });

  test("says until when it waits if the chain is ahead of the clock", async () => {
    using folder = temporaryFolder();
    const chain = join(folder.path, "chain");
    const startTime = Math.floor(Date.now() / 1000) + 3000;
    await createChain(chain, { seed: 3, accounts: 20, startTime });
    await using command = start("--port", "0", "--chain", chain, "--block-interval", "1s", "--keyless-rate", "0");
    const url = await command.url;
    const time = new Date((startTime + 1) * 1000).toISOString().replace(".000Z", "Z");
    const warning = await until(() => command.log().find(({ msg }) => String(msg).startsWith("the chain is ahead")));
    expect(warning["until"]).toBe(time);
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { ok: false, code: 503, error: `the chain is ahead of the clock: no block until ${time}` },
    ]);
    const status = await (await fetch(`${url}/status.json`)).json();
    expect(status).toMatchObject({ chain: { waitsUntil: startTime + 1, blocksPerSecond: 0 } });
    expect(await fetch(`${url}/metrics`).then((answer) => answer.text())).toMatch(/^chain_query_head_age_seconds -\d+$/m);
  });

  test("is restarted when it is killed, while workers answer and never go back to an older head", async () => {
    using folder = temporaryFolder();
    const flags = ["--chain", await copyGrowingChain(folder.path), "--keyless-rate", "0", "--workers", "2"];
    await using command = start("--port", "0", ...flags);
    const url = await command.url;
    const callers = startCallers(url, { count: 4 });
    for (let kill = 1; kill <= 2; kill++) {
      await nextBlock(url);
      process.kill(producerPids(command).at(-1) ?? 0, "SIGKILL");
      await until(() => producerPids(command).length > kill || undefined);
    }
    await nextBlock(url);
    const { answered, wrong, cut } = await callers.stop();
    expect({ wrong, cut }).toEqual({ wrong: [], cut: 0 });
    expect(answered).toBeGreaterThan(100);
    await expectMonotonicHeads(url);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain('chain_query_restarts_total{process="producer"} 2');
  });

  test("ends when its parent is killed", async () => {
    using folder = temporaryFolder();
    await using command = start("--port", "0", "--chain", await copyGrowingChain(folder.path));
    const [producer = 0] = await until(() => (producerPids(command).length > 0 ? producerPids(command) : undefined));
    command.child.kill("SIGKILL");
    await once(command.child, "close");
    await until(() => !isAlive(producer) || undefined);
  });

  test("stops on a full disk while callers are answered, and continues when there is space", async ({ onTestFailed }) => {
    using folder = temporaryFolder();
    const chain = copyChain(folder.path);
    const blocks = Math.ceil(statSync(join(chain, "chain.mdb")).size / 512) + 200;
    const flags = ["--port", "0", "--chain", chain, "--block-interval", "1s", "--keyless-rate", "0"];
    await using full = startFromShell(`trap '' XFSZ; ulimit -f ${blocks}; exec "$@"`, ...flags);
    onTestFailed(() => console.error(full.log().slice(-20)));
    const callers = startCallers(await full.url, { count: 4 });
    const deaths = () => full.log().filter(({ msg }) => msg === "block producer died, restarting");
    await until(() => deaths().length > 1 || undefined);
    expect(deaths()[0]?.["reason"]).toMatch(/could not be written: .*full/);
    const { answered } = callers.seen();
    await until(() => callers.seen().answered > answered + 100 || undefined);
    const { wrong, cut } = await callers.stop();
    expect({ wrong, cut }).toEqual({ wrong: [], cut: 0 });
    full.child.kill("SIGTERM");
    expect((await full.exit).code).toBe(0);
    await using command = start(...flags);
    await nextBlock(await command.url);
  });
});

/** The workers take turns, and none answers an older head than the one before. */
async function expectMonotonicHeads(url: string): Promise<void> {
  const heads = new Set<number>();
  let highest = 0;
  await until(async () => {
    for (const id of ["getConsensusBlock", "getMasterchainInfo"] as const) {
      const result = await resultOf(url, id, {}, { connection: "close" });
      const seqno = "last" in result ? result.last.seqno : result.consensus_block;
      expect(seqno).toBeGreaterThanOrEqual(highest);
      highest = seqno;
      heads.add(seqno);
    }
    return heads.size >= 3 || undefined;
  });
}
