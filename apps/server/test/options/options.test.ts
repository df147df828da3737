import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { serveHelp } from "../../src/options/help.ts";
import { fulfilKeys, keysHelp, keysWishIn } from "../../src/options/keys-command.ts";
import { OptionError } from "../../src/options/option-error.ts";
import { serveWishIn } from "../../src/options/read-options.ts";
import { temporaryFolder } from "../service.ts";

const options = (args: string[], environment: NodeJS.ProcessEnv = {}) => {
  const wish = serveWishIn(args, environment);
  return wish.kind === "serve" ? wish.options : undefined;
};

const mistakes = (args: string[], environment: NodeJS.ProcessEnv = {}): readonly string[] => {
  try {
    serveWishIn(args, environment);
  } catch (error) {
    if (error instanceof OptionError) return error.mistakes;
    throw error;
  }
  return [];
};

describe("serveWishIn", () => {
  test("knows what is usual", () => {
    expect(options([])).toEqual({
      port: 8080,
      host: "127.0.0.1",
      chain: resolve("chain-query-chain"),
      produce: true,
      seed: 1,
      blockInterval: 5,
      keys: resolve("chain-query-chain.keys"),
      keylessRate: 1,
      trustedProxies: [],
      workers: 1,
      networkName: "chain",
      retention: undefined,
      logLevel: "info",
      logRequests: false,
      telemetry: false,
    });
  });

  test("takes flags before the environment, the environment before the file, and the file before what is usual", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "server.yaml");
    writeFileSync(file, "port: 1\nhost: 10.0.0.1\nworkers: 3\nno-produce: true\ntrusted-proxies: [10.0.0.0/8, '::1']\n");
    const environment = { CHAIN_QUERY_PORT: "2", CHAIN_QUERY_HOST: "10.0.0.2", CHAIN_QUERY_CONFIG: file };
    expect(options(["--port", "3"], environment)).toMatchObject({
      port: 3,
      host: "10.0.0.2",
      workers: 3,
      produce: false,
      trustedProxies: ["10.0.0.0/8", "::1"],
      keylessRate: 1,
    });
    expect(options(["--config", file])).toMatchObject({ port: 1, host: "10.0.0.1" });
  });

  test("reads a file of JSON, and an empty one", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "server.json");
    writeFileSync(file, '{"port": 9, "retention": "48h"}');
    expect(options(["--config", file])).toMatchObject({ port: 9, retention: 172_800 });
    writeFileSync(file, "");
    expect(options(["--config", file])).toMatchObject({ port: 8080 });
  });

  test("tells every mistake at once, and where it was made", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "server.yaml");
    writeFileSync(file, "prot: 1\nworkers: none\n");
    const args = ["--port", "66000", "--frobnicate", "--no-produce=1", "serve", "--seed", "1", "--seed", "2", "--host"];
    const environment = { CHAIN_QUERY_KEYLESS_RATE: "-1", CHAIN_QUERY_NETWORK_NAME: "Main Net", CHAIN_QUERY_RETENTION: "soon" };
    expect(mistakes(["--config", file, ...args], environment)).toEqual([
      '"serve": no such command; keys is one, and --help lists options',
      "--frobnicate: no such option; --help lists them",
      "--no-produce: takes no value",
      "--seed: given twice; once is accepted",
      "--host: a value is missing",
      `${file}: prot: no such option; --help lists them`,
      '--port "66000": a whole number from 0 to 65535 is accepted',
      'CHAIN_QUERY_KEYLESS_RATE "-1": a whole number from 0 to 1000000 is accepted',
      `${file}: workers "none": a whole number from 1 to 256 is accepted`,
      'CHAIN_QUERY_NETWORK_NAME "Main Net": a lower-case word such as chain is accepted',
      'CHAIN_QUERY_RETENTION "soon": a time of a second or more, such as 90, 30m, 48h or 2d is accepted',
    ]);
  });

  test.each([
    [["--trusted-proxies", "10.0.0.0/33"], "IP addresses or networks such as 10.0.0.0/8, parted by commas"],
    [["--trusted-proxies", "proxy"], "IP addresses or networks such as 10.0.0.0/8, parted by commas"],
    [["--log-level", "loud"], "debug, info, warn, error, silent"],
    [["--block-interval", "0"], "a time of a second or more, such as 90, 30m, 48h or 2d"],
    [["--chain", ""], "a folder"],
    [["--port", "0x10"], "a whole number from 0 to 65535"],
    [["--port", ""], "a whole number from 0 to 65535"],
  ])("refuses %j", ([flag = "", value], accepted) => {
    expect(mistakes([flag, value ?? ""])).toEqual([`${flag} ${JSON.stringify(value)}: ${accepted} is accepted`]);
  });

  test("refuses a value that is none", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "server.yaml");
    writeFileSync(file, "chain:\nport: {a: 1}\ntrusted-proxies: [10.0.0.1, [1]]\n");
    const accepted = "a text, a number, true or false, or a list of those is accepted";
    expect(mistakes(["--config", file])).toEqual(
      ["chain", "port", "trusted-proxies"].map((name) => `${file}: ${name}: ${accepted}`),
    );
  });

  test("refuses a file without a name", () => {
    expect(mistakes([], { CHAIN_QUERY_CONFIG: "" })).toEqual(['CHAIN_QUERY_CONFIG "": a file is accepted']);
    expect(mistakes(["--config="])).toEqual(['--config "": a file is accepted']);
  });

  test.each([
    ["missing.yaml", undefined, /missing\.yaml: cannot be read: ENOENT/],
    ["broken.yaml", "a: [", /broken\.yaml: cannot be read: /],
    ["list.yaml", "- port", /list\.yaml: a mapping of options to values is accepted/],
  ])("refuses the file %s", (name, content, mistake) => {
    using folder = temporaryFolder();
    const file = join(folder.path, name);
    if (content !== undefined) writeFileSync(file, content);
    expect(mistakes(["--config", file]).join("\n")).toMatch(mistake);
    expect(mistakes(["--config", file])).toHaveLength(1);
  });
});

describe("fulfilKeys", () => {
  test("makes no folder where it only looks for keys", async () => {
    using place = temporaryFolder();
    const folder = join(place.path, "keys");
    const mistake = new OptionError([`keys ${folder}: there are no keys; keys add <owner> makes the first`]);
    await expect(fulfilKeys({ kind: "list", folder })).rejects.toThrow(mistake);
    await expect(fulfilKeys({ kind: "revoke", folder, id: "abc" })).rejects.toThrow(mistake);
    expect(existsSync(folder)).toBe(false);
  });
});

describe("keysWishIn", () => {
  test("reads what is wanted of the keys", () => {
    expect(keysWishIn(["add", "alice", "--rate", "50", "--keys", "/k"], {})).toEqual({
      kind: "add",
      folder: "/k",
      owner: "alice",
      rate: 50,
      network: undefined,
    });
    expect(keysWishIn(["list", "--chain", "/c"], {})).toEqual({ kind: "list", folder: "/c.keys" });
    expect(keysWishIn(["revoke", "abc"], { CHAIN_QUERY_KEYS: "/k" })).toEqual({ kind: "revoke", folder: "/k", id: "abc" });
  });

  test.each([
    [[], 'keys "": add, list or revoke is accepted'],
    [["forge"], 'keys "forge": add, list or revoke is accepted'],
    [["add", "alice\nmallory"], 'keys add "alice\\nmallory": a text of one line is accepted'],
    [["add"], "keys add: keys add <owner>, keys list or keys revoke <id> is accepted"],
    [["list", "all"], "keys list all: keys add <owner>, keys list or keys revoke <id> is accepted"],
    [["add", "alice", "--rate", "fast"], '--rate "fast": a whole number from 0 to 1000000 is accepted'],
  ])("refuses %j", (args, mistake) => {
    expect(() => keysWishIn(args, {})).toThrow(new OptionError([mistake]));
  });
});

describe("help", () => {
  test.each([
    ["of the command", serveHelp],
    ["of keys", keysHelp],
  ])("%s fits a screen", (_, text) => {
    const lines = text.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(25);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
  });
});
