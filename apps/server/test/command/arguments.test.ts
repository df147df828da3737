import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { CommandLineError } from "@chain-query/command-line";
import { afterAll, describe, expect, test } from "vitest";
import { parseArguments, parseServeOptions } from "../../src/command/arguments.ts";

const folder = mkdtempSync(join(tmpdir(), "chain-query-server-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function configFile(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

function problems(args: string[], environment: NodeJS.ProcessEnv = {}): readonly string[] {
  try {
    parseArguments(args, environment);
  } catch (error) {
    if (error instanceof CommandLineError) return error.problems;
    throw error;
  }
  return [];
}

describe("parseServeOptions", () => {
  test("has defaults for all options", () => {
    expect(parseServeOptions([], {})).toEqual({
      port: 8080,
      host: "127.0.0.1",
      reusePort: false,
      adminAddress: undefined,
      deadline: 5,
      source: {
        ...{ kind: "chain", folder: resolve("chain-query-chain"), keys: resolve("chain-query-chain.keys") },
        ...{ produce: true, blockInterval: 5 },
      },
      keylessRate: 1,
      trustedProxies: [],
      connections: 10_000,
      addressConnections: 256,
      networkName: "chain",
      retention: undefined,
      maxHeadAge: 0,
      shutdownDelay: 0,
      logLevel: "info",
      logRequests: false,
      cacheHeaders: true,
      contractOnly: false,
      telemetry: false,
    });
  });

  test("reads flags before the environment, the environment before the file, the file before defaults", () => {
    const yaml = "port: 1\nhost: 10.0.0.1\nno-produce: true\ntrusted-proxies: [10.0.0.0/8, '::1']\n";
    const file = configFile("server.yaml", yaml);
    const environment = { CHAIN_QUERY_PORT: "2", CHAIN_QUERY_HOST: "10.0.0.2", CHAIN_QUERY_CONFIG: file };
    expect(parseServeOptions(["--port", "3"], environment)).toMatchObject({
      port: 3,
      host: "10.0.0.2",
      source: { kind: "chain", produce: false },
      trustedProxies: ["10.0.0.0/8", "::1"],
      keylessRate: 1,
    });
    expect(parseServeOptions(["--config", file], {})).toMatchObject({ port: 1, host: "10.0.0.1" });
  });

  test("reads the options of a live network", () => {
    const flags = ["--lite-servers", "net.json", "--lite-archival", "old.json", "--lite-rate", "7"];
    const limits = ["--deadline", "3s", "--max-head-age", "5m"];
    const source = { kind: "network", servers: resolve("net.json"), archival: resolve("old.json"), rate: 7 };
    expect(parseServeOptions([...flags, ...limits], {})).toMatchObject({ deadline: 3, maxHeadAge: 300, source });
    expect(parseServeOptions(flags, {})).toMatchObject({ maxHeadAge: 60 });
    const key = Buffer.alloc(32, 7).toString("base64");
    const signed = ["--lite-servers", "net.json", "--lite-anchor", "anchor.json", "--lite-head-from", key];
    expect(parseServeOptions(signed, { STATE_DIRECTORY: "/state" })).toMatchObject({ source: { state: resolve("/state") } });
    expect(parseServeOptions(signed, {})).toMatchObject({
      source: { anchor: resolve("anchor.json"), headFrom: new Uint8Array(32).fill(7) },
    });
    expect(parseServeOptions([...flags, "--max-head-age", "0"], {})).toMatchObject({ maxHeadAge: 0 });
    expect(parseServeOptions(["--postgres", "postgres://db/chain"], {})).toMatchObject({ maxHeadAge: 300 });
    expect(parseServeOptions([], { CHAIN_QUERY_LITE_SERVERS: "/net.json", STATE_DIRECTORY: "/state" }).source).toEqual({
      ...{ kind: "network", keys: resolve("chain-query-chain.keys"), servers: "/net.json", state: resolve("/state") },
      ...{ archival: undefined, rate: 40 },
    });
  });

  test("prefers the source of the command line to the environment, and the environment to the file", () => {
    const image = { CHAIN_QUERY_CHAIN: "/data/chain", CHAIN_QUERY_KEYS: "/data/chain.keys", CHAIN_QUERY_BLOCK_INTERVAL: "2" };
    expect(parseServeOptions(["--lite-servers", "/net.json", "--no-produce"], image)).toMatchObject({
      source: { kind: "network", servers: "/net.json", keys: "/data/chain.keys" },
    });
    const file = configFile("lite.yaml", "lite-servers: /file.json\nno-produce: true\n");
    const live = { CHAIN_QUERY_LITE_SERVERS: "/net.json", CHAIN_QUERY_LITE_RATE: "9", CHAIN_QUERY_CONFIG: file };
    expect(parseServeOptions(["--chain", "/c"], live)).toMatchObject({
      source: { kind: "chain", folder: "/c", produce: false },
    });
    expect(parseServeOptions([], live)).toMatchObject({ source: { kind: "network", servers: "/net.json", rate: 9 } });
    const both = "--chain: is for a chain in a folder; expected it or --lite-servers, got both";
    expect(problems([], { ...image, ...live, CHAIN_QUERY_BLOCK_INTERVAL: undefined })).toEqual([both]);
  });

  test("accepts no other command", () => {
    expect(() => parseServeOptions(["keys", "list"], {})).toThrow('expected options of the service only, got "keys list"');
  });
});

describe("parseArguments", () => {
  const networks = "IP addresses or networks such as 10.0.0.0/8, separated by commas";
  test.each([
    ["--trusted-proxies", "10.0.0.0/33", networks],
    ["--trusted-proxies", "10.0.0.0/8/8", networks],
    ["--trusted-proxies", "proxy", networks],
    ["--admin-address", "9090", "a host and a port such as 127.0.0.1:9090 or [::1]:9090"],
    ["--admin-address", "127.0.0.1:99999", "a host and a port such as 127.0.0.1:9090 or [::1]:9090"],
  ])("refuses %s %j", (flag, value, accepted) => {
    expect(problems([flag, value])).toEqual([`${flag}: expected ${accepted}, got ${JSON.stringify(value)}`]);
  });

  test("refuses a shared port without a common limit or an explicit one", () => {
    const counted = [
      ["--redis", "redis://127.0.0.1:6379"],
      ["--keyless-rate", "1"],
    ];
    for (const limits of counted) expect(parseServeOptions(["--reuse-port", ...limits], {})).toMatchObject({ reusePort: true });
    expect(problems(["--reuse-port"], {})).toEqual([
      "--reuse-port: each process counts requests alone, so a caller may get the rate of all of them; expected --redis or --keyless-rate too",
    ]);
  });

  test("refuses the address of the API as the admin address, except any free port", () => {
    const address = (port: string) => ["--host", "::1", "--port", port, "--admin-address", `[::1]:${port}`];
    expect(problems(address("80"))).toEqual(["--admin-address: expected another address than that of the API, ::1:80"]);
    expect(parseServeOptions(address("0"), {})).toMatchObject({ adminAddress: { host: "::1", port: 0 } });
  });

  const index = { CHAIN_QUERY_POSTGRES: "postgres://u:p@db/chain,postgres://u@replica/chain" };
  const add = ["keys", "add", "alice", "--rate", "50", "--keys", "/k"];
  const files = ["--key-file=k", "--config-file=c"];
  test.each<[args: string[], environment: NodeJS.ProcessEnv, command: object]>([
    [add, {}, { command: "keys add", folder: "/k", owner: "alice", rate: 50 }],
    [["keys", "list", "--chain", "/c"], {}, { command: "keys list", folder: "/c.keys" }],
    [["keys", "revoke", "abc"], { CHAIN_QUERY_KEYS: "/k" }, { command: "keys revoke", folder: "/k", id: "abc" }],
    // The service and `keys` may have the same environment.
    [["keys", "list"], index, { command: "keys list", postgres: "postgres://u:p@db/chain" }],
    [["keys", "list", "--keys", "/l"], { ...index, CHAIN_QUERY_KEYS: "/k" }, { command: "keys list", folder: "/l" }],
    [["lite", "--chain", "dir"], {}, { command: "lite", folder: "dir", port: 8080, host: "127.0.0.1" }],
    [
      ["lite", "--chain", "dir", "--port=1", "--host=0.0.0.0", ...files],
      { CHAIN_QUERY_PORT: "2" },
      { command: "lite", folder: "dir", port: 1, host: "0.0.0.0", keyFile: "k", configFile: "c" },
    ],
  ])("reads %j in %j", (args, environment, command) => {
    expect(parseArguments(args, environment)).toEqual(command);
  });

  test("reads Redis and an index, beside the folder of keys of another service", () => {
    const service = parseServeOptions(["--redis", "redis://r/1", "--postgres", "postgres://db/chain"], {
      CHAIN_QUERY_KEYS: "/k",
    });
    expect(service).toMatchObject({ redis: "redis://r/1", source: { kind: "index", primary: "postgres://db/chain" } });
  });

  test("never shows the password of Redis, nor takes it from an argument", () => {
    expect(problems(["--redis", "redis://:secret@host"])).toEqual([
      "--redis: a password in an argument is not secret; expected it in the environment variable of the option",
    ]);
    expect(problems([], { CHAIN_QUERY_REDIS: "http://:secret@host" })).toEqual([
      "CHAIN_QUERY_REDIS: expected a URL such as redis://host:port or redis://host:port/1, the number of a database, and no query",
    ]);
  });

  test.each(["redis://r/abc", "redis://r/1/2", "redis://r/-1", "redis://r?enableOfflineQueue=true", "rediss://r/1?db=2"])(
    "takes no %s for Redis",
    (url) => {
      const expected = [expect.stringContaining("--redis: expected a URL such as redis://host:port or redis://host:port/1")];
      expect(problems(["--redis", url])).toEqual(expected);
    },
  );

  test.each([
    [["--lite-servers", "f", "--chain", "c"], "--chain: is for a chain in a folder; expected it or --lite-servers, got both"],
    [
      ["--lite-servers", "f", "--block-interval", "5s"],
      "--block-interval: is for a chain in a folder; expected it or --lite-servers, got both",
    ],
    [
      ["--lite-head-from", Buffer.alloc(32).toString("base64")],
      "--lite-head-from: is for lite servers; expected --lite-servers too",
    ],
    [["--postgres", "postgres://db/c", "--chain", "c"], "--chain: is for another source; expected it or --postgres, got both"],
    [["--max-head-age", "-1"], '--max-head-age: expected a time such as 60, 5m or 1h, or 0 for no limit, got "-1"'],
    [
      ["--lite-head-from", "AAAA"],
      '--lite-head-from: expected the public key of a lite server, 32 bytes in base64 as in its file, got "AAAA"',
    ],
    [["--lite-anchor", "a.json"], "--lite-anchor: is for lite servers; expected --lite-servers too"],
    [
      ["--keys", "/k", "--postgres", "postgres://db/chain"],
      "--keys: an index has its keys in its database; expected --keys or --postgres, got both",
    ],
    [["keys"], 'unknown command "keys"; expected keys add, keys list or keys revoke'],
    [["keys", "forge"], 'unknown command "keys forge"; expected keys add, keys list or keys revoke'],
    [["keys", "add", "alice\nmallory"], '<owner>: expected one line of text, got "alice\\nmallory"'],
    [["lite", "--port", "1"], "--chain: missing; expected a folder"],
    [["lite", "--chain", "dir", "--port", "1", "--host", "localhost"], '--host: expected an IPv4 address, got "localhost"'],
  ])("refuses %j", (args, problem) => {
    expect(problems(args)).toEqual([problem]);
  });

  test.each([[["--help"]], [["lite", "--help"]], [["keys", "--help"]]])("%j prints a help that fits a screen", (args) => {
    const parsed = parseArguments(args, {});
    const lines = parsed.command === "print" ? parsed.text.split("\n") : [];
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.length).toBeLessThanOrEqual(56);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  });
});
