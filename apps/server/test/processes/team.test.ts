import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { ask, resultOf } from "../ask.ts";
import { temporaryFolder } from "../service.ts";
import { isAlive, start, until } from "./command.ts";

const team = (keys: string, ...flags: string[]) =>
  start("--port", "0", "--chain", inject("chain"), "--no-produce", "--keys", keys, "--workers", "2", ...flags);

/** Each request on a connection of its own, so that the workers take turns. */
const fresh = { connection: "close" };

describe("several workers", () => {
  test("answer in turn, and each says which it is", async () => {
    using folder = temporaryFolder();
    await using command = team(join(folder.path, "keys"), "--keyless-rate", "0");
    const url = await command.url;
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(url, "getMasterchainInfo", {}, fresh)));
    const nodes = new Set(answers.map(({ body }) => body["@extra"]?.split(":")[1]));
    expect([...nodes].sort()).toEqual(["0", "1"]);
  });

  test("count one limit together", async () => {
    using folder = temporaryFolder();
    await using command = team(join(folder.path, "keys"), "--keyless-rate", "4");
    const url = await command.url;
    const counts: Record<string, number> = {};
    const started = Date.now();
    for (let turn = 0; turn < 40; turn++) {
      const { status } = await ask(url, "getMasterchainInfo", {}, fresh);
      counts[status] = (counts[status] ?? 0) + 1;
    }
    // However long this took, no second had more than four.
    const seconds = Math.ceil((Date.now() - started) / 1000) + 1;
    expect(counts["200"]).toBeLessThanOrEqual(4 * seconds);
    expect(counts["429"]).toBeGreaterThan(0);
  });

  test("are counted together in the metrics, whichever is asked", async () => {
    using folder = temporaryFolder();
    await using command = team(join(folder.path, "keys"), "--keyless-rate", "0");
    const url = await command.url;
    for (let turn = 0; turn < 10; turn++) await ask(url, "getConsensusBlock", {}, fresh);
    for (let turn = 0; turn < 4; turn++) {
      const text = await (await fetch(`${url}/metrics`, { headers: fresh })).text();
      expect(text).toContain('chain_query_request_duration_seconds_count{operation="getConsensusBlock",status="200"} 10');
      expect(text).toContain("chain_query_head_seqno 60");
      expect(text).toContain('chain_query_restarts_total{process="worker"} 0');
    }
  });

  test("never go back behind what another of them has answered, while blocks are made", async () => {
    using folder = temporaryFolder();
    const chain = join(folder.path, "chain");
    cpSync(inject("chain"), chain, { recursive: true });
    const flags = ["--port", "0", "--chain", chain, "--workers", "2", "--block-interval", "1", "--keyless-rate", "0"];
    await using command = start(...flags);
    const url = await command.url;
    const answers = new Set<number>();
    let highest = 0;
    await until(async () => {
      for (const id of ["getConsensusBlock", "getMasterchainInfo"] as const) {
        const result = await resultOf(url, id, {}, fresh);
        const seqno = "last" in result ? result.last.seqno : result.consensus_block;
        expect(seqno).toBeGreaterThanOrEqual(highest);
        highest = seqno;
        answers.add(seqno);
      }
      return answers.size >= 4 || undefined;
    });
  });

  test("are replaced where one dies, while the other answers", async () => {
    using folder = temporaryFolder();
    await using command = team(join(folder.path, "keys"), "--keyless-rate", "0");
    const url = await command.url;
    const pids = (): number[] => command.log().flatMap(({ msg, pid }) => (msg === "a worker answers" ? [Number(pid)] : []));
    const [victim = 0] = pids();
    process.kill(victim, "SIGKILL");
    await until(() => !isAlive(victim) || undefined);
    expect((await resultOf(url, "getConsensusBlock")).consensus_block).toBe(60);
    await until(() => pids().length > 2 || undefined);
    const nodes = new Set<string | undefined>();
    await until(async () => {
      nodes.add((await ask(url, "getMasterchainInfo", {}, fresh)).body["@extra"]?.split(":")[1]);
      return nodes.size === 2 || undefined;
    });
    command.child.kill("SIGTERM");
    expect((await command.ended).code).toBe(0);
    expect(pids().filter(isAlive)).toEqual([]);
  });
});
