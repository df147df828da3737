import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { open } from "lmdb";
import { describe, expect, inject, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { ask } from "../ask.ts";
import { ownChain } from "../producing.ts";
import { temporaryFolder } from "../service.ts";
import { run, start } from "./command.ts";

const served = (keys: string): string[] => ["--port", "0", "--chain", inject("chain"), "--no-produce", "--keys", keys];

describe("chain-query-server", () => {
  test("tells its version and its help", async () => {
    expect(await run("--version")).toMatchObject({ code: 0, stdout: `${packageJson.version}\n`, stderr: "" });
    const help = await run("--help");
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toContain("--keyless-rate");
    expect((await run("keys", "--help")).stdout).toContain("keys revoke <id>");
  });

  test("says where it answers, and nothing else on its output", async () => {
    using folder = temporaryFolder();
    await using command = start(...served(join(folder.path, "keys")));
    const url = await command.url;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await ask(url, "getMasterchainInfo")).status).toBe(200);
    command.child.kill("SIGINT");
    expect(await command.ended).toMatchObject({ code: 0, stdout: `${url}\n` });
  });

  test("says nothing on its output where another makes the blocks", async () => {
    using folder = temporaryFolder();
    const flags = ["--port", "0", "--chain", ownChain(folder.path), "--log-level", "silent"];
    await using writer = start(...flags, "--keys", join(folder.path, "keys"));
    await writer.url;
    const { code, stdout, stderr } = await run(...flags, "--keys", join(folder.path, "other-keys"));
    expect(stderr).toMatch(/^chain-query-server: --chain: .* is being written by process \d+[^\n]*\n$/);
    expect([code, stdout]).toEqual([2, ""]);
  });

  test("tells every mistake on a line of its own, and ends with 2", async () => {
    const { code, stdout, stderr } = await run("--port", "many", "--workers", "0", "--colour");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr.trimEnd().split("\n")).toEqual([
      "chain-query-server: --colour: no such option; --help lists them",
      'chain-query-server: --port "many": a whole number from 0 to 65535 is accepted',
      'chain-query-server: --workers "0": a whole number from 1 to 256 is accepted',
    ]);
  });

  test.each([
    [
      "a port that is taken",
      ["--port", "TAKEN"],
      /^chain-query-server: --port \d+: taken on 127\.0\.0\.1; choose another, or 0 for any free one$/,
    ],
    [
      "the same with workers",
      ["--port", "TAKEN", "--workers", "2"],
      /^chain-query-server: --port \d+: taken on 127\.0\.0\.1; choose another/,
    ],
    [
      "an address of elsewhere",
      ["--host", "203.0.113.9"],
      /^chain-query-server: --host "203\.0\.113\.9": not an address of this machine$/,
    ],
    ["no chain", ["--chain", "FOLDER/none"], /^chain-query-server: .*none does not exist/],
    ["a folder of something else", ["--chain", "FOLDER/other"], /^chain-query-server: .*other holds no chain/],
    ["a chain that is cut off", ["--chain", "FOLDER/cut"], /^chain-query-server: .*chain\.mdb is cut off/],
    [
      "a chain of another version",
      ["--chain", "FOLDER/newer"],
      /^chain-query-server: .*chain\.mdb has format 9; this version reads format \d+$/,
    ],
    [
      "keys that are none",
      ["--keys", "FOLDER/other"],
      /^chain-query-server: keys .*other: the folder holds notes\.txt and no keys/,
    ],
  ])("ends with 2 and one line for %s", async (_, flags, line) => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, "other"));
    writeFileSync(join(folder.path, "other", "notes.txt"), "x");
    cpSync(inject("chain"), join(folder.path, "cut"), { recursive: true });
    const file = join(folder.path, "cut", "chain.mdb");
    writeFileSync(file, readFileSync(file).subarray(0, 200_000));
    cpSync(inject("chain"), join(folder.path, "newer"), { recursive: true });
    const store = open({
      path: join(folder.path, "newer", "chain.mdb"),
      encoding: "binary",
      keyEncoding: "binary",
      maxDbs: 20,
    });
    await store
      .openDB({ name: "meta", encoding: "binary", keyEncoding: "binary" })
      .put(Buffer.from("format"), Buffer.of(0, 0, 0, 9));
    await store.close();
    const squatter = createServer();
    await new Promise<void>((resolve) => squatter.listen(0, "127.0.0.1", resolve));
    const address = squatter.address();
    const port = typeof address === "object" && address !== null ? String(address.port) : "";
    const chosen = flags.map((flag) => flag.replace("TAKEN", port).replace("FOLDER", folder.path));
    const defaults = Object.entries({ "--port": "0", "--chain": inject("chain"), "--keys": join(folder.path, "keys") });
    const args = [...defaults.filter(([flag]) => !chosen.includes(flag)).flat(), ...chosen];
    const { code, stderr } = await run("--no-produce", "--log-level", "silent", ...args);
    await new Promise((resolve) => squatter.close(resolve));
    expect(stderr.trimEnd()).toMatch(line);
    expect([code, stderr.trimEnd().split("\n").length]).toEqual([2, 1]);
  });

  test("never lets a key out", async () => {
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
    const leaked = await fetch(`${url}/nowhere?key=${key}`, { headers: { "x-api-key": key } });
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
  test("hands a key out, lists it and takes it back, which a running server knows at once", async () => {
    using folder = temporaryFolder();
    const keys = join(folder.path, "keys");
    await using command = start(...served(keys), "--keyless-rate", "0", "--log-level", "silent");
    const url = await command.url;
    const key = (await run("keys", "add", "alice", "--rate", "7", "--network", "chain", "--keys", keys)).stdout.trim();
    expect((await ask(url, "getMasterchainInfo", {}, { "x-api-key": key })).status).toBe(200);
    const listed = (await run("keys", "list", "--keys", keys)).stdout;
    const id = key.split("_")[1] ?? "";
    expect(listed).toMatch(new RegExp(`^${id}  7/s  chain  \\d{4}-\\d\\d-\\d\\d  alice\\n$`));
    expect(listed).not.toContain(key.slice(-20));
    expect(await run("keys", "revoke", id, "--keys", keys)).toMatchObject({ code: 0, stdout: "", stderr: "" });
    expect((await ask(url, "getMasterchainInfo", {}, { "x-api-key": key })).status).toBe(401);
    const again = await run("keys", "revoke", id, "--keys", keys);
    expect(again).toMatchObject({ code: 2, stdout: "" });
    expect(again.stderr).toBe(
      `chain-query-server: keys revoke "${id}": there is no such key; keys list tells those that there are\n`,
    );
  });
});
