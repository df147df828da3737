import { once } from "node:events";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { openChain } from "@chain-query/local-chain";
import { describe, expect, inject, test } from "vitest";
import { resultOf } from "../ask.ts";
import { temporaryFolder } from "../service.ts";
import { isAlive, type RunningCommand, run, start, until } from "./command.ts";

const pidIn = (command: RunningCommand, message: string): (() => number | undefined) => {
  return () => {
    const said = command.log().filter(({ msg }) => msg === message);
    const pid = said.at(-1)?.["pid"];
    return typeof pid === "number" ? pid : undefined;
  };
};

describe("production", () => {
  test("makes a chain where there is none, goes on with it, and outlives its producer", async () => {
    using folder = temporaryFolder();
    const chain = join(folder.path, "chain");
    const flags = ["--chain", chain, "--block-interval", "1", "--seed", "7", "--keyless-rate", "0"];
    await using command = start("--port", "0", ...flags);
    const url = await command.url;
    const seqno = async (): Promise<number> => (await resultOf(url, "getConsensusBlock")).consensus_block;
    const first = await seqno();
    expect(first).toBeGreaterThanOrEqual(120);
    await until(async () => (await seqno()) > first || undefined);

    const rival = await run("--port", "0", ...flags);
    expect(rival.code).toBe(2);
    expect(rival.stderr).toMatch(
      /^chain-query-server: --chain: .* is being written by process \d+; a chain has one writer at a time$/m,
    );

    const producer = await until(pidIn(command, "producing"));
    process.kill(producer, "SIGKILL");
    const atKill = await seqno();
    const next = await until(() => (pidIn(command, "producing")() === producer ? undefined : pidIn(command, "producing")()));
    await until(async () => (await seqno()) > atKill || undefined);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain('chain_query_restarts_total{process="producer"} 1');

    command.child.kill("SIGTERM");
    expect((await command.ended).code).toBe(0);
    expect([isAlive(producer), isAlive(next)]).toEqual([false, false]);
    const reader = openChain(chain);
    expect(reader.head().block.id.seqno).toBeGreaterThan(atKill);
    await reader.close();
  }, 180_000);

  test("ends with its parent, however that ends", async () => {
    using folder = temporaryFolder();
    const chain = join(folder.path, "chain");
    cpSync(inject("chain"), chain, { recursive: true });
    await using command = start("--port", "0", "--chain", chain, "--block-interval", "1");
    const producer = await until(pidIn(command, "producing"));
    command.child.kill("SIGKILL");
    await once(command.child, "close");
    await until(() => !isAlive(producer) || undefined);
  });
});
