/** Cells of newer schemes: readers name the type, the tag and the known ones, and never take a cell for another case. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { decodeAccount, isSuspended } from "../src/accounts.ts";
import { assembleBlock, readBlock, readBlockQueueChange, readBlockShards, readTransactions } from "../src/blocks/index.ts";
import { type Cell, CellBuilder, CellError, CellReader, readBocRoots } from "../src/cells/index.ts";
import { CURRENCIES_SUM } from "../src/currencies.ts";
import { type Augmentation, Trie, UNAUGMENTED } from "../src/dictionaries/index.ts";
import { readShardIdent, WHOLE_WORKCHAIN, writeAddress, writeShardIdent } from "../src/identifiers.ts";
import { readMessageHeader } from "../src/messages.ts";
import {
  lookUpPastBlock,
  readMasterchainParts,
  readPublicLibraries,
  readQueueSize,
  readShardHashes,
  readState,
} from "../src/states/index.ts";
import { decodeTransaction, deletesAccount, readTransactionHeader } from "../src/transactions.ts";
import { selectMasterchainValidators } from "../src/validator-groups.ts";
import { readValidatorSet } from "../src/validators.ts";
import { sampleBlocks } from "./blocks/sample-blocks.ts";

const [, block] = readBocRoots(readFileSync(new URL("fixtures/chain.boc", import.meta.url))) as [Cell, Cell];
const transaction = readBlock(block).transactions[0] as Cell;
const EMPTY = new CellBuilder().cell();
const build = () => new CellBuilder();

type Write = (builder: CellBuilder) => unknown;

/** A dictionary with entries by number. */
function dictionary<Extra>(width: number, augmentation: Augmentation<Extra>, entries: Readonly<Record<number, Write>>): Cell {
  const key = (id: string) => {
    const bytes = new Uint8Array(width >> 3);
    new DataView(bytes.buffer).setUint16(bytes.length - 2, Number(id));
    return bytes;
  };
  const writeValue = (builder: CellBuilder, write: Write) => void write(builder);
  const format = { width, augmentation, extraOf: () => augmentation.empty, writeValue };
  return Trie.from(
    format,
    Object.entries(entries).map(([id, write]) => [key(id), write] as const),
  ).rootCell() as Cell;
}

/** A cell with another one in place of a reference. */
function withRef(cell: Cell, place: number, part: Cell): Cell {
  const builder = build().bitsOf(cell.bytes, 0, cell.bitLength);
  for (const [i, ref] of cell.refs.entries()) builder.ref(i === place ? part : ref);
  return builder.cell();
}

const info = (builder: CellBuilder) => withRef(block, 0, builder.cell());
const headed = () => build().uint(0x9bc7a987, 32).uint(0, 32).uint(0x80, 8);

/** A BlockInfo up to the software. */
function flagged(): CellBuilder {
  const builder = headed().uint(1, 8).bigUint(0n, 64);
  writeShardIdent(builder, { workchain: 0, shard: WHOLE_WORKCHAIN });
  return builder.bigUint(0n, 5 * 32 + 2 * 64);
}

/** A block with other messages out, transactions and part of the masterchain. */
function extra({ out = EMPTY, accounts = EMPTY, masterchain }: { out?: Cell; accounts?: Cell; masterchain?: Cell }): Cell {
  const builder = build().uint(0x4a33f6fd, 32).ref(EMPTY).ref(out).ref(accounts).bigUint(0n, 512);
  return withRef(block, 3, builder.maybeRef(masterchain).cell());
}

/** HashmapAugE 256 with one value and an amount of 0. */
const byAddress = (write: Write) =>
  build()
    .maybeRef(dictionary(256, CURRENCIES_SUM, { 0: write }))
    .uint(0, 5)
    .cell();
const out = (tag: number, bits: number) => extra({ out: byAddress((to) => to.uint(tag, bits)) });

const state = (queue: Cell, masterchain?: Cell) =>
  build().uint(0x9023afe2, 32).bigUint(0n, 329).ref(queue).ref(EMPTY).ref(EMPTY).maybeRef(masterchain).cell();

/** McStateExtra with other flags. */
const history = (flags: number) =>
  build().uint(0xcc26, 16).bit(false).bytes(new Uint8Array(32)).ref(EMPTY).ref(build().uint(flags, 16).cell()).cell();

const shard = (builder: CellBuilder) => readShardHashes(dictionary(32, UNAUGMENTED, { 0: (to) => to.ref(builder.cell()) }));
const validators = (write: Write) =>
  build()
    .uint(0x12, 8)
    .bigUint(0n, 64)
    .uint(1, 16)
    .uint(1, 16)
    .bigUint(1n, 64)
    .maybeRef(dictionary(16, UNAUGMENTED, { 0: write }))
    .cell();
const validator = (to: CellBuilder) => to.uint(0x53, 8).uint(0x8e81278a, 32).bytes(new Uint8Array(32)).bigUint(1n, 64);
const config = (parameters: Readonly<Record<number, Cell>>) =>
  dictionary(
    32,
    UNAUGMENTED,
    Object.fromEntries(Object.entries(parameters).map(([id, cell]) => [id, (to: CellBuilder) => to.ref(cell)])),
  );
const group = (catchain: CellBuilder) =>
  selectMasterchainValidators(config({ 28: catchain.cell(), 34: validators(validator) }), 1);

/** Makes the last of the sample blocks again, with another configuration. */
function burning(parameter: CellBuilder): unknown {
  const input = sampleBlocks().inputs.findLast(({ before }) => before.masterchain);
  const masterchain = input?.before.masterchain;
  if (!input || !masterchain) throw new Error("the sample has no masterchain block");
  return assembleBlock({
    ...input,
    before: { ...input.before, masterchain: { ...masterchain, config: config({ 5: parameter.cell() }) } },
  });
}

/** By type: a reading of a cell with an unknown tag, and that tag. */
const UNKNOWN: Readonly<Record<string, readonly [read: () => unknown, got: string]>> = {
  Block: [() => readBlock(build().uint(0x11ef55ab, 32).cell()), "11ef55ab"],
  BlockInfo: [() => readBlock(info(build().uint(0x9bc7a988, 32))), "9bc7a988"],
  "version of BlockInfo": [() => readBlock(info(build().uint(0x9bc7a987, 32).uint(1, 32))), "00000001"],
  "flags of BlockInfo": [() => readBlock(info(headed().uint(2, 8))), "02"],
  GlobalVersion: [() => readBlock(info(flagged().uint(0xc5, 8))), "c5"],
  ShardIdent: [() => readShardIdent(new CellReader(build().uint(1, 2).cell())), "1"],
  ValueFlow: [() => readBlock(withRef(block, 1, build().uint(0x3ebf98b8, 32).cell())), "3ebf98b8"],
  BlockExtra: [() => readBlockShards(withRef(block, 3, build().uint(0x4a33f6fe, 32).cell())), "4a33f6fe"],
  McBlockExtra: [() => readBlockShards(extra({ masterchain: build().uint(0xcca6, 16).cell() })), "cca6"],
  AccountBlock: [() => [...readTransactions(extra({ accounts: byAddress((to) => to.uint(6, 4)) }))], "6"],
  "deferred OutMsg": [() => readBlockQueueChange(out(0b10110, 5)), "2"],
  Transaction: [() => decodeTransaction(build().uint(6, 4).cell()), "6"],
  HASH_UPDATE: [() => readTransactionHeader(withRef(transaction, 1, build().uint(0x73, 8).cell())), "73"],
  TransactionDescr: [() => decodeTransaction(withRef(transaction, 2, build().uint(8, 4).cell())), "8"],
  MsgAddressInt: [() => readMessageHeader(build().uint(0b0000_00_00, 8).cell()), "0"],
  MsgAddressExt: [() => readMessageHeader(build().uint(0b10_10, 4).cell()), "2"],
  StorageExtraInfo: [
    () =>
      decodeAccount(
        writeAddress(build().bit(true), { workchain: 0, hash: new Uint8Array(32) })
          .uint(2, 9)
          .cell(),
      ),
    "2",
  ],
  ShardStateUnsplit: [() => readState(build().uint(0x5f327da5, 32).cell()), "5f327da5"],
  LibDescr: [() => [...readPublicLibraries(dictionary(256, UNAUGMENTED, { 0: (to) => to.uint(1, 2) }))], "1"],
  OutMsgQueueExtra: [() => readQueueSize(state(build().bigUint(0n, 66).bit(true).uint(1, 4).cell())), "1"],
  McStateExtra: [() => readMasterchainParts(state(EMPTY, build().uint(0xcc27, 16).cell())), "cc27"],
  "flags of McStateExtra": [() => lookUpPastBlock(state(EMPTY, history(2)), 1), "0002"],
  ShardDescr: [() => shard(build().bit(false).uint(0xc, 4)), "c"],
  "flags of ShardDescr": [() => shard(build().bit(false).uint(0xa, 4).bigUint(0n, 704).uint(0, 5).uint(1, 3)), "1"],
  ValidatorSet: [() => readValidatorSet(build().uint(0x13, 8).cell()), "13"],
  ValidatorDescr: [() => readValidatorSet(validators((to) => to.uint(0x54, 8))), "54"],
  SigPubKey: [() => readValidatorSet(validators((to) => to.uint(0x53, 8).uint(0x8e81278b, 32))), "8e81278b"],
  CatchainConfig: [() => group(build().uint(0xc3, 8)), "c3"],
  "flags of CatchainConfig": [() => group(build().uint(0xc2, 8).uint(1, 7)), "01"],
  SuspendedAddressList: [() => isSuspended(build().uint(1, 8).cell(), { workchain: 0, hash: new Uint8Array(32) }, 0), "01"],
  BurningConfig: [() => burning(build().uint(2, 8)), "02"],
};

test.each(Object.entries(UNKNOWN))("%s of a newer scheme is named in one line", (type, [read, got]) => {
  const line = new RegExp(
    `^${type} must have tag [0-9a-f]+(?: or [0-9a-f]+)*, got ${got}: the cell holds something else, or is of a newer block.tlb$`,
  );
  expect(read).toThrow(CellError);
  expect(read).toThrow(line);
});

test("every tag that this package reads is among them", () => {
  const sources = new URL("../src/", import.meta.url);
  const files = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
  const source = files.map((path) => readFileSync(new URL(path, sources), "utf8")).join("\n");
  const code = source.replaceAll(/^ \* .*$/gm, "");
  const types = Array.from(code.matchAll(/\breadTag(?:ged)?\([^"\n]*"([^"]+)"/g), ([, type]) => type);
  expect([...new Set(types)].sort()).toEqual(Object.keys(UNKNOWN).sort());
});

test("a transaction is not taken for another cell by any of its readers", () => {
  const other = build().uint(6, 4).bigUint(0n, 900).cell();
  for (const read of [decodeTransaction, readTransactionHeader, deletesAccount]) {
    expect(() => read(other)).toThrow("Transaction must have tag 7, got 6");
  }
});

test("every form of an outbound message changes the size of the queue as it should", () => {
  const changes: readonly (readonly [tag: number, bits: number, change: number])[] = [
    [0b000, 3, 0],
    [0b010, 3, 0],
    [0b001, 3, 1],
    [0b011, 3, 1],
    [0b100, 3, -1],
    [0b1100, 4, -1],
    [0b1101, 4, -1],
    [0b111, 3, 0],
    [0b10100, 5, 0],
    [0b10101, 5, 1],
  ];
  expect(changes.map(([tag, bits]) => readBlockQueueChange(out(tag, bits)))).toEqual(changes.map(([, , change]) => change));
});

test("amounts of a shard are read from the place that its form says", () => {
  const tail = (to: CellBuilder) =>
    to
      .bigUint(0n, 704)
      .uint(0, 8)
      .uint(0, 32)
      .bigUint(1n << 63n, 64)
      .bigUint(0n, 64)
      .bit(false);
  const amounts = (to: CellBuilder) => to.coins(5n).bit(false).coins(0n).bit(false);
  const inline = amounts(tail(build().bit(false).uint(0xb, 4)));
  const apart = tail(build().bit(false).uint(0xa, 4)).ref(amounts(build()).cell());
  expect([inline, apart].map((leaf) => shard(leaf)[0]?.feesCollected.coins)).toEqual([5n, 5n]);
  // Bits after the description do not make it the other form.
  expect(shard(tail(build().bit(false).uint(0xa, 4)).uint(0, 12).ref(amounts(build()).cell()))[0]?.feesCollected.coins).toBe(
    5n,
  );
});

test("headers of impossible blocks are refused", () => {
  const header = (flags: number, workchain: number, bits: bigint, length: number) =>
    info(
      build()
        .uint(0x9bc7a987, 32)
        .uint(0, 32)
        .uint(flags, 8)
        .uint(0, 8)
        .bigUint(0n, 64)
        .uint(length, 8)
        .int(workchain, 32)
        .bigUint(bits, 64),
    );
  const refused = (what: string, ...args: Parameters<typeof header>) =>
    expect(() => readBlock(header(...args))).toThrow(new CellError(what));
  const flags = (shardName: string, values: string) =>
    `a block of ${shardName} cannot have ${values} as not_master, after_merge and after_split`;
  refused(flags("0:8000000000000000", "0, 0, 0"), 0, 0, 0n, 0);
  refused(flags("-1:8000000000000000", "1, 0, 0"), 0x80, -1, 0n, 0);
  refused(flags("-1:4000000000000000", "0, 0, 0"), 0, -1, 0n, 1);
  refused(flags("0:8000000000000000", "1, 0, 1"), 0x90, 0, 0n, 0);
  refused(flags("0:4000000000000000", "1, 1, 1"), 0xd0, 0, 0n, 1);
  const rest = "expected at most 60 bits, and zeros after them";
  refused(`a shard has a prefix of 61 bits, 0: ${rest}`, 0x80, 0, 0n, 61);
  refused(`a shard has a prefix of 1 bits, 4000000000000000: ${rest}`, 0x80, 0, 1n << 62n, 1);
});
