import { join } from "node:path";
import { describe, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { ask } from "../fixtures/ask.ts";
import { testChain } from "../fixtures/chain.ts";
import { run, start } from "../fixtures/command.ts";
import { keyId, temporaryFolder } from "../fixtures/service.ts";

describe("chain-query-server", () => {
  test("prints its version", async () => {
    expect(await run("--version")).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: "" });
  });

  test("prints a line for each invalid option and exits with 2", async () => {
    const { code, stdout, stderr } = await run("--port", "many", "--workers", "0");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr.trimEnd().split("\n")).toEqual([
      'chain-query-server: --port: expected a whole number from 0 to 65535, got "many"',
      'chain-query-server: --workers: expected a whole number from 1 to 256, got "0"',
    ]);
  });

  test("prints only its URL on stdout, applies added and revoked keys at once, and exits with 0 at SIGINT", async () => {
    using folder = temporaryFolder();
    const keys = join(folder.path, "keys");
    const flags = ["--port", "0", "--chain", testChain, "--no-produce", "--keys", keys, "--log-level", "silent"];
    await using command = start(...flags);
    const url = await command.url;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const key = (await run("keys", "add", "alice", "--rate", "0", "--keys", keys)).stdout.trim();
    expect((await ask(url, "getMasterchainInfo", {}, { "x-api-key": key })).status).toBe(200);
    const id = keyId(key);
    expect(await run("keys", "revoke", id, "--keys", keys)).toEqual({ code: 0, stdout: "", stderr: "" });
    expect((await ask(url, "getMasterchainInfo", {}, { "x-api-key": key })).status).toBe(401);
    command.child.kill("SIGINT");
    expect(await command.exit).toMatchObject({ code: 0, stdout: `${url}\n` });
  });
});
