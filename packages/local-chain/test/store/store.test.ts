import { cpSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CellBuilder } from "@chain-query/format/cells";
import { ChainStoreError } from "@chain-query/format/store";
import { temporaryFolder } from "@chain-query/testing/folders";
import { open } from "lmdb";
import { describe, expect, test } from "vitest";
import { openChain } from "../../src/reading/chain-reader.ts";
import { createStore, openStore } from "../../src/store/store.ts";
import { syntheticGenesis } from "../../src/testing/synthetic-chain.ts";
import { firstSteps, SMALL, syntheticStore } from "../test-folders.ts";

/** The files of a folder with their bytes. */
function contents(directory: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(directory).map((name) => [name, readFileSync(join(directory, name)).toString("base64")] as const),
  );
}

describe("createStore", () => {
  test("creates a chain at its zero state", async () => {
    const { directory } = await syntheticStore(0);
    const chain = openChain(directory);
    const genesis = syntheticGenesis(SMALL);
    expect(chain.head()).toMatchObject({
      block: { id: { seqno: 0, workchain: -1 }, time: genesis.time },
      transactionCount: 0n,
    });
    expect(chain.genesis()).toEqual({ block: genesis.masterchain.id, time: genesis.time });
    expect(chain.shards().map(({ id }) => [id.workchain, id.seqno])).toEqual([
      [-1, 0],
      [0, 0],
    ]);
    expect(chain.blockData(genesis.masterchain.id)).toEqual(genesis.masterchain.boc);
    await chain.close();
  });

  test("creates the folder if it does not exist", async () => {
    const directory = join(temporaryFolder(), "a", "b");
    await createStore(directory, syntheticGenesis(SMALL));
    await openStore(directory).close();
    expect(readdirSync(directory)).toContain("chain.mdb");
  });

  test("refuses a folder that holds a chain, and changes nothing", async () => {
    const { directory } = await syntheticStore(1);
    const before = contents(directory);
    await expect(createStore(directory, syntheticGenesis(SMALL))).rejects.toThrow(/already holds a chain/);
    expect(contents(directory)).toEqual(before);
  });

  test("accepts the files of an interrupted attempt", async () => {
    const directory = temporaryFolder();
    writeFileSync(join(directory, "chain.new.mdb"), "half");
    writeFileSync(join(directory, "chain.new.mdb.probe"), "half");
    writeFileSync(join(directory, "writer.lock"), "1\n");
    await createStore(directory, syntheticGenesis(SMALL));
    expect(readdirSync(directory).sort()).toEqual(["chain.mdb", "writer.lock"]);
  });

  test("refuses a file in place of the folder", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    await expect(createStore(file, syntheticGenesis(SMALL))).rejects.toThrow(/is not a folder/);
  });
});

describe("openStore", () => {
  test("continues after the last step", async () => {
    const { directory } = await syntheticStore(3);
    const steps = firstSteps(5);
    const writer = openStore(directory);
    expect(writer.tips.map(({ id }) => id.seqno)).toEqual([3, 3]);
    expect(writer.burnt).toBe(3n);
    for (const step of steps.slice(3)) await writer.commit(step);
    expect(writer.tips.map(({ id }) => id.seqno)).toEqual([5, 5]);
    await writer.close();
  });

  test("returns the producer's state, the accounts and the genesis", async () => {
    const { directory } = await syntheticStore(3);
    const writer = openStore(directory);
    const genesis = syntheticGenesis(SMALL);
    expect(writer.options).toEqual(genesis.options);
    expect(Buffer.from(writer.producerRecord("steps") ?? []).toString()).toBe("3");
    expect(writer.producerRecord("nothing")).toBeUndefined();
    expect(Array.from(writer.producerRecords("st"), ([name]) => name)).toEqual(["steps"]);
    const hashes = Array.from(writer.accounts(), ({ account }) => Buffer.from(account.hash).toString("hex"));
    expect(hashes).toHaveLength(SMALL.accounts);
    expect(hashes).toEqual([...hashes].sort());
    await writer.close();
  });

  test("refuses a chain that this process reads, and opens it when it is read no longer", async () => {
    const { directory } = await syntheticStore(1);
    const chain = openChain(directory);
    expect(() => openStore(directory)).toThrow(
      new ChainStoreError(
        `${join(directory, "chain.mdb")} is open for reading in this process; close its readers before you open it for writing`,
      ),
    );
    expect(chain.head().block.id.seqno).toBe(1);
    await chain.close();
    const first = openStore(directory);
    const beside = openChain(directory);
    await first.close();
    await openStore(directory).close();
    await beside.close();
  });

  test.each([
    ["a folder without a chain", (directory: string) => writeFileSync(join(directory, "x"), ""), /holds no chain/],
    [
      "a file of another kind",
      (directory: string) => writeFileSync(join(directory, "chain.mdb"), "text"),
      /is not (an LMDB data file|the file of a chain)/,
    ],
    [
      "an empty file",
      (directory: string) => writeFileSync(join(directory, "chain.mdb"), ""),
      /is not (an LMDB data file|the file of a chain)/,
    ],
    [
      "a folder in place of the file",
      (directory: string) => mkdirSync(join(directory, "chain.mdb")),
      /cannot be read|is not an LMDB data file/,
    ],
  ])("refuses %s, and changes nothing", (_what, prepare, words) => {
    const directory = temporaryFolder();
    prepare(directory);
    const before = readdirSync(directory);
    for (const opened of [openStore, openChain]) {
      expect(() => opened(directory)).toThrow(ChainStoreError);
      expect(() => opened(directory)).toThrow(words);
    }
    expect(readdirSync(directory)).toEqual(before);
  });

  test("refuses another program's LMDB file, and changes nothing", async () => {
    const directory = temporaryFolder();
    const other = open({ path: join(directory, "chain.mdb"), overlappingSync: false });
    await other.put("name", "another program");
    await other.close();
    const before = readFileSync(join(directory, "chain.mdb")).toString("base64");
    expect(() => openStore(directory)).toThrow(/is not (an LMDB data file|the file of a chain)/);
    expect(() => openChain(directory)).toThrow(/is not (an LMDB data file|the file of a chain)/);
    expect(readFileSync(join(directory, "chain.mdb")).toString("base64")).toBe(before);
  });

  test.each([4, 9])("refuses a store of format %i, and changes nothing", async (format) => {
    const { directory } = await syntheticStore(1);
    const file = join(directory, "chain.mdb");
    const root = open({ path: file, overlappingSync: false, encoding: "binary", keyEncoding: "binary" });
    const meta = root.openDB({ name: "meta", encoding: "binary", keyEncoding: "binary" });
    await meta.put(Buffer.from("format"), Buffer.of(0, 0, 0, format));
    await root.close();
    const before = readFileSync(file).toString("base64");
    const line = /^\S+ has format [49]; this version reads formats 3 and 5: .* makes a new chain in another folder$/;
    expect(() => openStore(directory)).toThrow(line);
    expect(() => openChain(directory)).toThrow(line);
    expect(readFileSync(file).toString("base64")).toBe(before);
  });

  test("refuses a truncated file of any length, and changes nothing", async () => {
    const { directory } = await syntheticStore(4);
    const whole = readFileSync(join(directory, "chain.mdb"));
    const twoThirds = Math.round(whole.length / 4096 / 1.5) * 4096;
    for (const length of [1, 100, 4095, 4096, 8192, whole.length >> 1, twoThirds, whole.length - 1]) {
      const copy = temporaryFolder();
      cpSync(join(directory, "chain.mdb"), join(copy, "chain.mdb"));
      truncateSync(join(copy, "chain.mdb"), length);
      expect(() => openStore(copy), `${length} bytes`).toThrow(/is cut off|is not an LMDB data file/);
      expect(() => openChain(copy), `${length} bytes`).toThrow(/is cut off|is not an LMDB data file/);
      expect(readFileSync(join(copy, "chain.mdb")).length).toBe(length);
      expect(readdirSync(copy)).toEqual(["chain.mdb"]);
    }
  });
});

describe("commit", () => {
  test("refuses a step that does not follow the newest one", async () => {
    const { directory } = await syntheticStore(2);
    const writer = openStore(directory);
    const [, second, , fourth] = firstSteps(4);
    await expect(writer.commit(second ?? expect.fail())).rejects.toThrow(/does not follow/);
    await expect(writer.commit(fourth ?? expect.fail())).rejects.toThrow(/does not follow/);
    await writer.close();
  });

  test("writes several steps, or none of them", async () => {
    const { directory } = await syntheticStore(1);
    const [, second, third, fourth] = firstSteps(4);
    const writer = openStore(directory);
    await expect(writer.commit(second ?? expect.fail(), fourth ?? expect.fail())).rejects.toThrow(/does not follow/);
    expect(writer.tips.map(({ id }) => id.seqno)).toEqual([1, 1]);
    await writer.commit(second ?? expect.fail(), third ?? expect.fail());
    expect(writer.tips.map(({ id }) => id.seqno)).toEqual([3, 3]);
    await writer.close();
  });

  test("refuses a step after close", async () => {
    const { directory } = await syntheticStore(0);
    const writer = openStore(directory);
    await writer.close();
    await expect(writer.commit(firstSteps(1)[0] ?? expect.fail())).rejects.toThrow(/is closed/);
  });

  test("writes nothing of a step that fails", async () => {
    const { directory } = await syntheticStore(1);
    const step = firstSteps(2)[1] ?? expect.fail();
    const writer = openStore(directory);
    const [account] = step.accounts;
    const broken = {
      ...step,
      accounts: [...step.accounts, { ...(account ?? expect.fail()), shardAccount: new CellBuilder().cell() }],
    };
    await expect(writer.commit(broken)).rejects.toThrow(/step 2 could not be written/);
    await expect(writer.commit(step)).rejects.toThrow(/no further one is accepted/);
    await writer.close();
    const chain = openChain(directory);
    expect(chain.head().block.id.seqno).toBe(1);
    expect(chain.block(step.masterchain.id, { seqno: 2 })).toBeUndefined();
    await chain.close();
    const again = openStore(directory);
    await again.commit(step);
    await again.close();
  });
});
