import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { ask } from "../ask.ts";
import { ownChain } from "../producing.ts";
import { temporaryFolder } from "../service.ts";
import { run, start } from "./command.ts";

const served = (keys: string): string[] => ["--port", "0", "--chain", inject("chain"), "--no-produce", "--keys", keys];

describe("chain-query-server", () => {
  test("prints its version", async () => {
    expect(await run("--version")).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: "" });
  });

  test("prints its URL and nothing else on stdout", async () => {
    using folder = temporaryFolder();
    await using command = start(...served(join(folder.path, "keys")));
    const url = await command.url;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await ask(url, "getMasterchainInfo")).status).toBe(200);
    command.child.kill("SIGINT");
    expect(await command.ended).toMatchObject({ code: 0, stdout: `${url}\n` });
  });

  test("prints one line and ends with 2 if another process writes the chain", async () => {
    using folder = temporaryFolder();
    const flags = ["--port", "0", "--chain", ownChain(folder.path), "--log-level", "silent"];
    await using writer = start(...flags, "--keys", join(folder.path, "keys"));
    await writer.url;
    const { code, stdout, stderr } = await run(...flags, "--keys", join(folder.path, "other-keys"));
    expect(stderr).toMatch(/^chain-query-server: --chain: .* is being written by process \d+[^\n]*\n$/);
    expect([code, stdout]).toEqual([2, ""]);
  });

  test("prints a line for each invalid option and ends with 2", async () => {
    const { code, stdout, stderr } = await run("--port", "many", "--workers", "0");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr.trimEnd().split("\n")).toEqual([
      'chain-query-server: --port: expected a whole number from 0 to 65535, got "many"',
      'chain-query-server: --workers: expected a whole number from 1 to 256, got "0"',
    ]);
  });

  test("shows no key in logs, metrics, answers and the process list", async () => {
    using folder = temporaryFolder();
    const keys = join(folder.path, "keys");
    const { stdout } = await run("keys", "add", "alice", "--rate", "0", "--keys", keys);
    const key = stdout.trim();
    await using command = start(...served(keys), "--log-level", "debug", "--log-requests");
    const url = await command.url;
    expect((await ask(url, "getMasterchainInfo", {}, { "x-api-key": key })).status).toBe(200);
    const secret = key.split("_").at(-1) ?? "no key";
    const wrong = `${key.slice(0, -1)}${key.endsWith("A") ? "B" : "A"}`;
    const refused = await ask(url, "getMasterchainInfo", {}, { "x-api-key": wrong });
    const leaked = await fetch(`${url}/missing?key=${key}`, { headers: { "x-api-key": key } });
    const metrics = await (await fetch(`${url}/metrics`)).text();
    const commandLine = readFileSync(`/proc/${command.child.pid}/cmdline`, "utf8");
    command.child.kill("SIGTERM");
    const { stderr } = await command.ended;
    expect(command.log().filter(({ msg }) => msg === "answered").length).toBeGreaterThan(2);
    for (const text of [stderr, metrics, commandLine, await leaked.text(), JSON.stringify(refused.body)]) {
      expect(text).not.toContain(secret.slice(0, 20));
    }
  });
});

describe("chain-query-server keys", () => {
  test("add and revoke keys of a running server", async () => {
    using folder = temporaryFolder();
    const keys = join(folder.path, "keys");
    await using command = start(...served(keys), "--keyless-rate", "0", "--log-level", "silent");
    const url = await command.url;
    const key = (await run("keys", "add", "alice", "--rate", "7", "--network", "chain", "--keys", keys)).stdout.trim();
    expect((await ask(url, "getMasterchainInfo", {}, { "x-api-key": key })).status).toBe(200);
    const id = key.split("_")[1] ?? "";
    expect(await run("keys", "revoke", id, "--keys", keys)).toMatchObject({ code: 0, stdout: "", stderr: "" });
    expect((await ask(url, "getMasterchainInfo", {}, { "x-api-key": key })).status).toBe(401);
  });
});
