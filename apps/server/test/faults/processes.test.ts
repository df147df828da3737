import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, test, vi } from "vitest";
import { resultOf } from "../ask.ts";
import { isAlive, type RunningCommand, start, startWith, until } from "../processes/command.ts";
import { ownChain } from "../producing.ts";
import { temporaryFolder } from "../service.ts";
import { startCallers } from "./healthy.ts";

const pidsOf = (command: RunningCommand, message: string): number[] =>
  command.log().flatMap(({ msg, pid }) => (msg === message ? [Number(pid)] : []));

const seqnoAt = async (url: string): Promise<number> => (await resultOf(url, "getConsensusBlock")).consensus_block;

// A busy machine is no reason to fail.
vi.setConfig({ testTimeout: 60_000 });

describe("callers are answered", () => {
  test("while the producer is killed and comes back", async () => {
    using folder = temporaryFolder();
    const flags = ["--chain", ownChain(folder.path), "--block-interval", "1s", "--keyless-rate", "0"];
    await using command = start("--port", "0", ...flags);
    const url = await command.url;
    const callers = startCallers(url, 4);
    for (let kill = 1; kill <= 2; kill++) {
      const head = await seqnoAt(url);
      await until(async () => (await seqnoAt(url)) > head || undefined);
      const producer = pidsOf(command, "producing").at(-1) ?? 0;
      process.kill(producer, "SIGKILL");
      await until(() => pidsOf(command, "producing").length > kill || undefined);
    }
    const head = await seqnoAt(url);
    await until(async () => (await seqnoAt(url)) > head || undefined);
    const { answered, wrong, cut } = await callers.stop();
    expect({ wrong, cut }).toEqual({ wrong: [], cut: 0 });
    expect(answered).toBeGreaterThan(100);
  });

  test("while a worker is killed: no more of them lose an answer than it was busy with, and none gets a wrong one", async () => {
    using folder = temporaryFolder();
    const keys = join(folder.path, "keys");
    const flags = ["--chain", inject("chain"), "--no-produce", "--keys", keys, "--keyless-rate", "0", "--workers", "2"];
    await using command = start("--port", "0", ...flags);
    const url = await command.url;
    const count = 6;
    const callers = startCallers(url, count);
    await until(() => callers.seen().answered > 50 || undefined);
    const [victim = 0] = pidsOf(command, "a worker answers");
    process.kill(victim, "SIGKILL");
    await until(() => !isAlive(victim) || undefined);
    const atDeath = callers.seen().answered;
    await until(() => pidsOf(command, "a worker answers").length > 2 || undefined);
    await until(() => callers.seen().answered > atDeath + 50 || undefined);
    const { wrong, cut } = await callers.stop();
    expect(wrong).toEqual([]);
    // A kept connection to it is cut, and one more attempt at most before its socket is closed for good.
    expect(cut).toBeLessThanOrEqual(2 * count);
  });

  test("all of them, where workers are killed with connections on their way to them", async () => {
    using folder = temporaryFolder();
    const keys = join(folder.path, "keys");
    const flags = ["--chain", inject("chain"), "--no-produce", "--keys", keys, "--keyless-rate", "0", "--workers", "2"];
    await using command = start("--port", "0", ...flags);
    const callers = startCallers(await command.url, 32, false);
    const kills = 4;
    for (let kill = 0; kill < kills; kill++) {
      const { answered } = callers.seen();
      await until(() => callers.seen().answered > answered + 100 || undefined);
      process.kill(pidsOf(command, "a worker answers").filter(isAlive).at(0) ?? 0, "SIGKILL");
      await until(() => pidsOf(command, "a worker answers").length > kill + 2 || undefined);
    }
    // A caller whose connection nobody answers and nobody ends would keep this waiting.
    const { wrong } = await callers.stop();
    expect(wrong).toEqual([]);
  });

  test("while the disk takes no more blocks, and blocks come again where there is room", async () => {
    using folder = temporaryFolder();
    const chain = ownChain(folder.path);
    const blocks = Math.ceil(statSync(join(chain, "chain.mdb")).size / 512) + 200;
    const flags = ["--port", "0", "--chain", chain, "--block-interval", "1s", "--keyless-rate", "0"];
    const full = startWith(`trap '' XFSZ; ulimit -f ${blocks}; exec "$@"`, ...flags);
    try {
      const url = await full.url;
      const callers = startCallers(url, 4);
      const ended = () => full.log().filter(({ msg }) => msg === "the producer ended and is started again");
      await until(() => ended().length > 1 || undefined);
      expect(ended()[0]?.["reason"]).toMatch(/could not be written: .*full/);
      const { answered } = callers.seen();
      await until(() => callers.seen().answered > answered + 100 || undefined);
      const { wrong, cut } = await callers.stop();
      expect({ wrong, cut }).toEqual({ wrong: [], cut: 0 });
    } finally {
      await full[Symbol.asyncDispose]();
    }
    expect((await full.ended).code).toBe(0);
    await using roomy = start(...flags);
    const url = await roomy.url;
    const head = await seqnoAt(url);
    await until(async () => (await seqnoAt(url)) > head || undefined);
  });
});
