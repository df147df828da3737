import { copyFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sharedFolder, temporaryFolder } from "@chain-query/testing/folders";
import { beforeAll, describe, expect, test } from "vitest";
import { openChain, openProducer } from "../../src/index.ts";
import { openTables } from "../../src/store/tables.ts";
import { madeChain } from "../../src/testing/made-chain.ts";
import { invoke } from "./invoke.ts";

const SMALL = ["--accounts", "12", "--shards", "2", "--rate", "5"] as const;
/** A chain with 8 blocks, which tests only read. */
const seen = join(sharedFolder(), "seen");

beforeAll(async () => {
  const made = await invoke("init", seen, "--seed", "7", ...SMALL);
  expect(made).toMatchObject({ code: 0, error: "" });
  expect(made.stdout).toContain(`chain-query-local-chain advance ${seen} 100`);
  for (const count of [3, 5]) {
    const advanced = await invoke("advance", seen, `${count}`);
    expect(advanced).toMatchObject({ code: 0, error: "" });
    expect(advanced.stdout).toMatch(/^masterchain block [38], \d+ transactions in [\d.]+ s \(\d+\/s\)\n$/);
  }
});

/** A copy of that chain, to change it. */
function copyOfSeen(): string {
  const directory = temporaryFolder();
  copyFileSync(join(seen, "chain.mdb"), join(directory, "chain.mdb"));
  return directory;
}

test("init, advance, inspect and verify work on one folder, and make the blocks of the seed", async () => {
  const inspected = await invoke("inspect", seen);
  expect(inspected).toMatchObject({ code: 0, error: "" });
  expect(inspected.stdout).toContain("-1:8000000000000000:8");
  const verified = await invoke("verify", seen);
  expect(verified).toMatchObject({ code: 0, error: "" });
  expect(verified.stdout).toMatch(/ is right: 8 steps, 24 blocks, \d+ transactions, \d+ accounts\n$/);
  const made = await madeChain({ seed: 7, accounts: 12, shards: 2, rate: 5, steps: 8 });
  const tips = [seen, made].map(async (directory) => JSON.parse((await invoke("inspect", directory)).stdout).head);
  expect(await tips[0]).toEqual(await tips[1]);
});

describe("errors", () => {
  test.each([["advance", "1"], ["run"], ["inspect"], ["verify"]])("%s needs a folder that exists", async (command, ...more) => {
    const empty = temporaryFolder();
    const outcome = await invoke(command, join(empty, "dir"), ...more);
    expect(outcome).toMatchObject({ code: 2, stdout: "", error: expect.stringMatching(/dir does not exist/) });
    expect(readdirSync(empty)).toEqual([]);
  });

  test.each([
    [["--block", "latest"], '--block: expected 12, -1:12 or 0:a000000000000000:12, got "latest"'],
    [["--block", "0:3"], "--block: expected a block of 0:4000000000000000, 0:c000000000000000"],
    [["--block", "1:3"], "--block: expected a block of the workchains -1 and 0"],
    [["--block", "-1:99"], '--block: expected a block of this shard, from 1 to 8, got "-1:99"'],
    [
      ["--account", "0:12"],
      '--account: expected workchain:64 hexadecimal digits or 48 characters of base64, got "0:12" (malformed raw form)',
    ],
    [["--account", `4294967295:${"00".repeat(32)}`], "(workchain 4294967295 does not fit 32 bits)"],
    [["--transaction", "5"], '--transaction: expected an address, a colon and a logical time, got "5"'],
    [["--transaction", "0:12:5"], '--transaction: expected an address, a colon and a logical time, got "0:12:5"'],
    [["--transaction", `0:${"00".repeat(32)}:7`], "expected the logical time of a transaction of this account"],
  ])("inspect %j lists the accepted values", async (args, words) => {
    const { code, stdout, error } = await invoke("inspect", seen, ...args);
    expect(error).toContain(words);
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
      const { code, error } = await invoke(...args);
      expect(error).toMatch(/^.*(already holds something else \(letter\.txt\)|holds no chain).*$/);
      expect(code).toBe(2);
    }
    expect(readdirSync(directory)).toEqual(["letter.txt"]);
  });

  test("a second writer fails, readers do not", async () => {
    const directory = copyOfSeen();
    const producer = await openProducer(directory);
    for (const args of [
      ["advance", directory, "1"],
      ["run", directory],
    ]) {
      const { code, error } = await invoke(...args);
      expect(error).toBe(`${directory} is being written by process ${process.pid}; a chain has one writer at a time`);
      expect(code).toBe(2);
    }
    expect(await invoke("init", directory, "--seed", "1")).toMatchObject({ code: 2 });
    expect(await invoke("verify", directory)).toMatchObject({ code: 0 });
    expect(await invoke("inspect", directory)).toMatchObject({ code: 0 });
    await producer.close();
  });
});

describe("inspect", () => {
  const json = async (...args: readonly string[]) => JSON.parse((await invoke("inspect", seen, ...args)).stdout);

  test("shows the head, the shards and the accounts", async () => {
    const { head, shards, accounts } = await json();
    const chain = openChain(seen);
    expect(head.root_hash).toBe(Buffer.from(chain.head().block.id.rootHash).toString("base64"));
    expect(Object.keys(shards)).toEqual(["-1:8000000000000000", "0:4000000000000000", "0:c000000000000000"]);
    expect(accounts.number).toBeGreaterThan(12);
    await chain.close();
  });

  test("shows a block, one of its transactions, and its account, consistently", async () => {
    const block = await json("--block", "0:4000000000000000:5");
    expect(block).toMatchObject({ block: "0:4000000000000000:5", previous: "0:4000000000000000:4", masterchain_seqno: 5 });
    expect(block.transactions).toHaveLength(block.transaction_count);
    const [name] = block.transactions[0].split(" ");
    const transaction = await json("--transaction", name);
    expect(transaction).toMatchObject({
      transaction: name,
      masterchain_seqno: 5,
      caused_by: expect.stringMatching(/^an? .*message/),
    });
    const account = await json("--account", name.slice(0, name.lastIndexOf(":")));
    expect(account.transactions.some((line: string) => name.endsWith(`:${line.split(" ")[0]}`))).toBe(true);
  });

  test("accepts a masterchain block by its number alone, and a name that begins with a minus", async () => {
    expect(await json("--block", "3")).toEqual(await json("--block", "-1:3"));
    expect((await json("--block", "3")).shards).toEqual(["0:4000000000000000:3", "0:c000000000000000:3"]);
  });

  test("shows the result of a transaction", async () => {
    const { transactions } = await json("--block", "-1:5");
    const described = await Promise.all(transactions.map((line: string) => json("--transaction", line.split(" ")[0] ?? "")));
    const ticks = described.filter(({ caused_by }) => caused_by === "the clock (tick)");
    expect(ticks).toHaveLength(1);
    expect(ticks[0]).toMatchObject({ status: "active", aborted: false, action: "result code 0, actions 0, messages 0" });
    expect(ticks[0].compute).toMatch(/^exit code 0, gas \d+ of \d+, \d+ steps$/);
    expect(described.map(({ caused_by }) => caused_by)).toContain("the clock (tock)");
  });
});

describe("verify", () => {
  test("reports the first error, with exit code 1", async () => {
    const directory = copyOfSeen();
    const tables = openTables(join(directory, "chain.mdb"), "write");
    const [first] = tables.blockData.getKeys({ reverse: true, limit: 1 });
    tables.root.transactionSync(() => tables.blockData.putSync(first ?? expect.fail(), Buffer.from("nothing")));
    await tables.root.close();
    const { code, stdout } = await invoke("verify", directory);
    expect(stdout).toMatch(
      /^\S+ is wrong: file hash of block 0:c000000000000000:8 is [0-9a-f]{64} and should be [0-9a-f]{64}\n$/,
    );
    expect(code).toBe(1);
  });
});
