import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { openChain, openProducer } from "../../src/index.ts";
import { openTables } from "../../src/store/tables.ts";
import { command, type Outcome, run } from "../command-process.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const SMALL = ["--accounts", "12", "--shards", "2", "--rate", "5"] as const;
const folder = mkdtempSync(join(tmpdir(), "local-chain-"));
/** A chain of some blocks that tests look at and do not change. */
const seen = join(folder, "seen");

beforeAll(async () => {
  await run("init", seen, "--seed", "7", ...SMALL);
  await run("advance", seen, "8");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the command, and sends it a signal once it has begun. */
async function runUntil(signal: NodeJS.Signals, ...args: readonly string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [command, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const chain = openChain(args[1] ?? "");
  const before = chain.head().block.id.seqno;
  while (chain.head().block.id.seqno < before + 2) await new Promise((resolve) => setTimeout(resolve, 10));
  await chain.close();
  child.kill(signal);
  const [code] = await once(child, "close");
  return { code, stdout, stderr };
}

describe("chain-query-local-chain", () => {
  test("tells how it is used on one screen", async () => {
    const { code, stdout, stderr } = await run("--help");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const lines = stdout.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(40);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(112);
    for (const verb of ["init", "run", "advance", "inspect", "verify"]) expect(stdout).toContain(`local-chain ${verb} DIR`);
  });

  test("tells its version", async () => {
    expect(await run("--version")).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: "" });
  });

  test("makes the chain that the library's usual options make, as its help says", async () => {
    const directory = join(temporaryFolder(), "chain");
    await run("init", directory, "--seed", "1");
    const { stdout } = await run("inspect", directory, "--json");
    const { genesis } = JSON.parse(stdout);
    const { stdout: help } = await run("--help");
    const said = Object.fromEntries(
      Array.from(help.matchAll(/--([\w-]+) \w+ .*\(default (\d+)\)/g), ([, name, value]) => [name, value]),
    );
    expect(said).toEqual({
      accounts: genesis.accounts,
      shards: genesis.shards,
      "start-time": genesis.startTime,
      "block-interval": genesis.blockInterval,
      rate: genesis.rate,
      retention: genesis.retentionSeconds,
    });
  });

  test("gives every option to the new chain", async () => {
    const directory = join(temporaryFolder(), "chain");
    const given = { seed: "18446744073709551615", accounts: "3", shards: "8", rate: "1" };
    const more = { "start-time": "1800000000", "block-interval": "7", "transaction-limit": "9", retention: "60" };
    const flags = Object.entries({ ...given, ...more }).flatMap(([name, value]) => [`--${name}`, value]);
    expect(await run("init", directory, ...flags)).toMatchObject({ code: 0, stderr: "" });
    const { genesis } = JSON.parse((await run("inspect", directory, "--json")).stdout);
    expect(genesis).toMatchObject({
      ...given,
      startTime: "1800000000",
      blockInterval: "7",
      transactionLimit: "9",
      retentionSeconds: "60",
    });
  });

  test("makes the same blocks from the same seed, in one process or several", async () => {
    const folder = temporaryFolder();
    const [once, twice] = [join(folder, "once"), join(folder, "twice")] as const;
    for (const directory of [once, twice]) await run("init", directory, "--seed", "5", ...SMALL);
    await run("advance", once, "6");
    await run("advance", twice, "2");
    await run("advance", twice, "4");
    const heads = [once, twice].map(async (directory) => JSON.parse((await run("inspect", directory, "--json")).stdout).head);
    const [a, b] = await Promise.all(heads);
    expect(a).toEqual(b);
    expect(a.block).toBe("-1:8000000000000000:6");
  });

  test("goes the way of a new user: init, advance, inspect, verify", async () => {
    const directory = join(temporaryFolder(), "chain");
    const made = await run("init", directory, "--seed", "1", ...SMALL);
    expect(made).toMatchObject({ code: 0, stderr: "" });
    expect(made.stdout).toContain(`chain-query-local-chain advance ${directory} 100`);
    const advanced = await run("advance", directory, "5");
    expect(advanced).toMatchObject({ code: 0, stderr: "" });
    expect(advanced.stdout).toMatch(/^masterchain block 5, \d+ transactions in [\d.]+ s \(\d+\/s\)\n$/);
    const inspected = await run("inspect", directory);
    expect(inspected).toMatchObject({ code: 0, stderr: "" });
    expect(inspected.stdout).toContain("-1:8000000000000000:5");
    const verified = await run("verify", directory);
    expect(verified).toMatchObject({ code: 0, stderr: "" });
    expect(verified.stdout).toMatch(/ is right: 5 steps, 15 blocks, \d+ transactions, \d+ accounts\nvalue: \d+ at genesis/);
  });
});

describe("bad input", () => {
  const bad: readonly (readonly [readonly string[], string])[] = [
    [[], "a verb is missing: init, run, advance, inspect or verify"],
    [["make", "DIR"], '"make" is no verb: init, run, advance, inspect or verify is accepted'],
    [["init"], "init needs a folder"],
    [["init", "DIR"], "init needs --seed, a whole number from 0 to 18446744073709551615"],
    [["init", "DIR", "--seed", "one"], '--seed "one": a whole number from 0 to 18446744073709551615 is accepted'],
    [["init", "DIR", "--seed", "-1"], '--seed "-1": a whole number'],
    [["init", "DIR", "--seed", "18446744073709551616"], "a whole number from 0 to 18446744073709551615 is accepted"],
    [["init", "DIR", "--seed", "1", "--shards", "3"], "shards 3: 1, 2, 4 or 8 is accepted"],
    [["init", "DIR", "--seed", "1", "--accounts", "many"], '--accounts "many": a whole number is accepted'],
    [["init", "DIR", "--seed", "1", "--json"], "--json does not go with init"],
    [["init", "DIR", "other", "--seed", "1"], '"other" is one argument too many'],
    [["init", "DIR", "--sed", "1"], "Unknown option '--sed'; accepted are --seed, "],
    [["advance", "DIR"], "how many blocks are to be made is missing"],
    [["advance", "DIR", "0"], 'advance by "0": a whole number from 1 to 1000000000 is accepted'],
    [["advance", "DIR", "5"], 'DIR does not exist; "chain-query-local-chain init DIR" makes a chain there'],
    [["run", "DIR", "--block-interval", "0"], '--block-interval "0": a whole number from 1 to 86400 is accepted'],
    [["run", "DIR"], "DIR does not exist"],
    [["inspect", "DIR"], "DIR does not exist"],
    [["inspect", "DIR", "--block", "1", "--account", "x"], "--block and --account contradict each other"],
    [["verify", "DIR"], "DIR does not exist"],
  ];

  test.each(bad)("%j is one line and exit code 2, and makes nothing", async (args, words) => {
    const empty = temporaryFolder();
    const directory = join(empty, "DIR");
    const { code, stdout, stderr } = await run(...args.map((arg) => (arg === "DIR" ? directory : arg)));
    expect(stderr.replaceAll(directory, "DIR")).toMatch(/^chain-query-local-chain: [^\n]+\n$/);
    expect(stderr.replaceAll(directory, "DIR")).toContain(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(readdirSync(empty)).toEqual([]);
  });

  test.each([
    [["--block", "latest"], '--block "latest": 12, -1:12 or 0:a000000000000000:12 is accepted'],
    [["--block", "0:3"], "the chain's shards are 0:4000000000000000, 0:c000000000000000"],
    [["--block", "1:3"], "the chain's shards are of the workchains -1 and 0"],
    [["--block", "-1:99"], '--block "-1:99": there is none; those of this shard go from 1 to 8'],
    [
      ["--account", "0:12"],
      '--account "0:12": a raw address (0: and 64 hexadecimal digits) or a user-friendly one is accepted',
    ],
    [["--account", `4294967295:${"00".repeat(32)}`], "a raw address (0: and 64 hexadecimal digits) or a user-friendly one"],
    [["--transaction", "5"], `--transaction "5": an account's address, a colon and a logical time is accepted`],
    [["--transaction", "0:12:5"], `--transaction "0:12:5": an account's address, a colon and a logical time is accepted`],
    [["--transaction", `0:${"00".repeat(32)}:7`], "the account has no transaction of that logical time"],
  ])("inspect %j says what there is", async (args, words) => {
    const { code, stdout, stderr } = await run("inspect", seen, ...args);
    expect(stderr).toContain(words);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  });

  test("a folder that holds something else is left as it is", async () => {
    const directory = temporaryFolder();
    writeFileSync(join(directory, "letter.txt"), "dear");
    for (const args of [
      ["init", directory, "--seed", "1"],
      ["advance", directory, "1"],
      ["verify", directory],
    ]) {
      const { code, stderr } = await run(...args);
      expect(stderr).toMatch(/^[^\n]*(already holds something else \(letter\.txt\)|holds no chain)[^\n]*\n$/);
      expect(code).toBe(2);
    }
    expect(readdirSync(directory)).toEqual(["letter.txt"]);
  });

  test("a second writer is told of the first, and readers are not", async () => {
    const directory = join(temporaryFolder(), "chain");
    await run("init", directory, "--seed", "1", ...SMALL);
    const producer = await openProducer(directory);
    for (const args of [
      ["advance", directory, "1"],
      ["run", directory],
    ]) {
      const { code, stderr } = await run(...args);
      expect(stderr).toBe(
        `chain-query-local-chain: ${directory} is being written by process ${process.pid}; a chain has one writer at a time\n`,
      );
      expect(code).toBe(2);
    }
    expect(await run("init", directory, "--seed", "1")).toMatchObject({ code: 2 });
    expect(await run("verify", directory)).toMatchObject({ code: 0 });
    expect(await run("inspect", directory)).toMatchObject({ code: 0 });
    await producer.close();
  });
});

describe("inspect", () => {
  const json = async (...args: readonly string[]) => JSON.parse((await run("inspect", seen, "--json", ...args)).stdout);

  test("shows the head, the shards and the accounts", async () => {
    const { head, shards, accounts } = await json();
    const chain = openChain(seen);
    expect(head.root_hash).toBe(Buffer.from(chain.head().block.id.rootHash).toString("base64"));
    expect(Object.keys(shards)).toEqual(["-1:8000000000000000", "0:4000000000000000", "0:c000000000000000"]);
    expect(accounts.number).toBeGreaterThan(12);
    await chain.close();
  });

  test("shows a block, one of its transactions, and the account of that, as one story", async () => {
    const block = await json("--block", "0:4000000000000000:5");
    expect(block).toMatchObject({ block: "0:4000000000000000:5", previous: "0:4000000000000000:4", masterchain_seqno: 5 });
    expect(block.transactions).toHaveLength(block.transaction_count);
    const [name] = block.transactions[0].split(" ");
    const transaction = await json("--transaction", name);
    expect(transaction).toMatchObject({
      transaction: name,
      masterchain_seqno: 5,
      begun_by: expect.stringMatching(/^a message/),
    });
    const account = await json("--account", name.slice(0, name.lastIndexOf(":")));
    expect(account.transactions.some((line: string) => name.endsWith(`:${line.split(" ")[0]}`))).toBe(true);
  });

  test("takes a masterchain block by its number alone, and a name that begins with a minus", async () => {
    expect(await json("--block", "3")).toEqual(await json("--block", "-1:3"));
    expect((await json("--block", "3")).shards).toEqual(["0:4000000000000000:3", "0:c000000000000000:3"]);
  });

  test("tells how a transaction went", async () => {
    const { transactions } = await json("--block", "-1:5");
    const told = await Promise.all(transactions.map((line: string) => json("--transaction", line.split(" ")[0] ?? "")));
    const ticks = told.filter(({ begun_by }) => begun_by === "the clock (tick)");
    expect(ticks).toHaveLength(1);
    expect(ticks[0]).toMatchObject({ status: "active", aborted: false, action: "result code 0, actions 0, messages 0" });
    expect(ticks[0].compute).toMatch(/^exit code 0, gas \d+ of \d+, \d+ steps$/);
    expect(told.map(({ begun_by }) => begun_by)).toContain("the clock (tock)");
  });

  test("draws a tree, with messages below their transaction", async () => {
    const block = await json("--block", "0:4000000000000000:5");
    const [name] = block.transactions[0].split(" ");
    const { stdout } = await run("inspect", seen, "--transaction", name);
    expect(stdout).toMatch(/^├─ transaction +0:[0-9A-F]{64}:\d+\n├─ hash /);
    expect(stdout).toMatch(/\n├─ in_message\n│ {2}├─ hash /);
    expect(stdout).toMatch(/\n└─ out_messages(\n| +none$)/m);
  });

  test("stops without a word where its reader has enough", async () => {
    const child = spawn("sh", ["-c", `"$@" | head -1`, "sh", process.execPath, command, "inspect", seen]);
    let stderr = "";
    child.stderr.on("data", (text) => {
      stderr += text;
    });
    await once(child, "close");
    expect(stderr).toBe("");
  });
});

describe("verify", () => {
  test("says what is wrong first, and ends with 1", async () => {
    const directory = join(temporaryFolder(), "chain");
    await run("init", directory, "--seed", "1", ...SMALL);
    await run("advance", directory, "2");
    const tables = openTables(join(directory, "chain.mdb"), "write");
    const [first] = tables.blockData.getKeys({ reverse: true, limit: 1 });
    tables.root.transactionSync(() => tables.blockData.putSync(first ?? expect.fail(), Buffer.from("nothing")));
    await tables.root.close();
    const { code, stdout } = await run("verify", directory);
    expect(stdout).toMatch(
      /^\S+ is wrong: file hash of block \(0,c000000000000000,2\) is [0-9a-f]{64} and should be [0-9a-f]{64}\n$/,
    );
    expect(code).toBe(1);
  });
});

describe("Ctrl-C and SIGTERM", () => {
  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s ends advance after a whole block", async (signal, expected) => {
    const directory = join(temporaryFolder(), "chain");
    await run("init", directory, "--seed", "1", ...SMALL);
    const { code, stdout, stderr } = await runUntil(signal, "advance", directory, "100000");
    expect({ code, stderr }).toEqual({ code: expected, stderr: "" });
    const [, done = ""] = /^stopped after (\d+) of 100000 blocks; masterchain block \1, /.exec(stdout) ?? [];
    expect((await run("verify", directory)).stdout).toContain(` ${done} steps, `);
  });

  test("end run after a whole block, whose time is the clock's", async () => {
    const directory = join(temporaryFolder(), "chain");
    await run("init", directory, "--seed", "1", ...SMALL);
    const { code, stdout, stderr } = await runUntil("SIGINT", "run", directory, "--block-interval", "1", "--rate", "2");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/: a block every 1 s from 1 on, until Ctrl-C\nended at masterchain block \d+\n$/);
    const chain = openChain(directory);
    expect(Math.abs(chain.head().block.time - Date.now() / 1000)).toBeLessThan(60);
    await chain.close();
    expect(existsSync(join(directory, "chain.mdb"))).toBe(true);
    expect(readFileSync(join(directory, "writer.lock"), "utf8")).toMatch(/^\d+\n$/);
  });
});
