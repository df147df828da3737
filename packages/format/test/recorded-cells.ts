/** Every file of recorded data: its cells are read, and written back where a writer exists. */
import { walkBlock } from "@chain-query/testing/block-walker/block";
import { bagsIn, type RecordedFile, recordedCase, recordedFiles } from "@chain-query/testing/recorded";
import { Cell as CoreCell, loadAccount, loadTransaction } from "@ton/core";
import { expect, test } from "vitest";
import { decodeAccount, isSuspended } from "../src/accounts.ts";
import { buildAccountBlocks } from "../src/blocks/account-blocks.ts";
import { buildBlock, buildBlockInfo, buildValueFlow, collectShardFees } from "../src/blocks/block.ts";
import {
  lookUpTransaction,
  readBlock,
  readBlockConfig,
  readBlockParts,
  readBlockQueueChange,
  readBlockShards,
  readTransactions,
  sumValueFlow,
} from "../src/blocks/index.ts";
import {
  type Cell,
  CellBuilder,
  CellReader,
  hex,
  openMerkleProof,
  openMerkleUpdate,
  PrunedCellError,
  readBoc,
  readBocRoots,
  readMerkleUpdate,
  writeBocRoots,
} from "../src/cells/index.ts";
import { formatCurrencies } from "../src/currencies.ts";
import { lookUp, readEntries, uint32Key } from "../src/dictionaries/index.ts";
import { decodeMessage } from "../src/messages.ts";
import { lookUpAccount, readShardTops, readState, writeShardHashes } from "../src/states/index.ts";
import { decodeTransaction, deletesAccount, readTransactionHeader } from "../src/transactions.ts";
import { selectMasterchainValidators } from "../src/validator-groups.ts";
import { encodeValidatorSet, readValidatorSet } from "../src/validators.ts";
import { toCoreCell } from "./core-cell.ts";
import { type Kind, kindOf, PARTS } from "./every-reader.ts";

/** Files without cells, and where they are read. */
const WITHOUT_CELLS: Readonly<Record<string, string>> = {
  "bocs/INDEX.md": "text",
  "lite/INDEX.md": "text",
  "lite/iroha/adnl-handshake-vector.json": "packets: lite/test/wire/vector.test.ts",
  "lite/iroha/recorded-requests.json": "requests: lite/test/wire/recorded.test.ts",
  "lite/ton-net/masterchain-info.hex": "an answer with ids alone: lite/test/wire/recorded.test.ts",
};

const NO_CASES = "skipped: no recorded data in ../shared/cases";

/** A root of a bag of cells. */
interface Root {
  readonly name: string;
  readonly kind: Kind;
  /** Whether branches are pruned. */
  readonly form: "whole" | "partial" | "proof";
  /** Of the tree in a proof. */
  readonly root: Cell;
}

/** Tests the cells of all files up to a size in bytes. */
export function testRecordedCells(largest: number): void {
  const files = recordedFiles();
  const roots = files.filter(({ bytes }) => bytes.length <= largest).flatMap(rootsOf);

  test("every recorded file has cells, or a reason to have none", ({ skip }) => {
    skip(files.length === 0, "skipped: no recorded data in ../shared");
    const without = files.filter((file) => bagsIn(file).length === 0).map(({ file }) => file);
    expect(without).toEqual(Object.keys(WITHOUT_CELLS));
  });

  test("bags have roots with the hashes that @ton/core computes, and are written back with the same ones", ({ skip }) => {
    skip(files.length === 0, "skipped: no recorded data in ../shared");
    for (const bag of files.flatMap(bagsIn)) {
      const cells = readBocRoots(bag);
      const hashes = cells.map(({ hash }) => hex(hash));
      expect(readBocRoots(writeBocRoots(cells)).map(({ hash }) => hex(hash))).toEqual(hashes);
      // @ton/core cannot read a proof of a proof.
      const isNested = cells.some(({ type, refs: [tree] }) => type === "proof" && tree?.type !== "ordinary");
      if (!isNested) expect(CoreCell.fromBoc(bag).map((core) => core.hash().toString("hex"))).toEqual(hashes);
    }
  });

  test.each(roots)("$name: a $form $kind", ({ root, kind, form }) => {
    if (form === "whole") WHOLE[kind](root);
    else expect(shownParts(kind, root)).not.toEqual([]);
  });

  test("a fee for IHR is paid by the sender, and credited to the receiver", ({ skip }) => {
    const [sent, received] = ["1-ihr-fee-sent", "3-ihr-fee-received"].map((end) => {
      const cell = readBoc(recordedCase(`tx-4345890800000${end}.boc`) ?? skip(NO_CASES));
      readWholeTransaction(cell);
      return decodeTransaction(cell);
    });
    expect(sent).toMatchObject({ fee: 9_540_202n, storageFee: 202n, outMessages: [{ value: 0n, ihrFee: 3_000_000n }] });
    expect(received).toMatchObject({ fee: 8n, inMessage: { value: 0n, ihrFee: 3_000_000n, createdLt: 43458908000002n } });
  });

  test("currencies have negative ids, and comments bytes that are not UTF-8", ({ skip }) => {
    const [account, message] = ["account-extra-currency-minus-17", "message-memo-not-utf8"].map((name) =>
      readBoc(recordedCase(`${name}.boc`) ?? skip(NO_CASES)),
    ) as [Cell, Cell];
    expect(decodeAccount(account).extraCurrencies).toEqual([
      { id: 239, amount: 666_666_666_666n },
      { id: -17, amount: 1_000_000_000_000n },
    ]);
    expect(hex(decodeMessage(message).comment?.bytes)).toBe("636166e9");
  });

  test("a network suspends accounts until a time", ({ skip }) => {
    const list = readBoc(recordedCase("config-44-suspended.boc") ?? skip(NO_CASES));
    const hash = Buffer.from("B81B6A61E804BF983FFE708BF8688626D73E63020096FD34C312BEF6CA05CE3F", "hex");
    const times = [1_803_189_599, 1_803_189_600].map((time) => isSuspended(list, { workchain: 0, hash }, time));
    expect([...times, isSuspended(list, { workchain: -1, hash }, 0)]).toEqual([true, false, false]);
  });

  test("every part is shown by a recorded proof", ({ skip }) => {
    skip(files.length === 0, "skipped: no recorded data in ../shared");
    const partial = roots.filter(({ form }) => form !== "whole");
    const found = new Set(partial.flatMap(({ kind, root }) => shownParts(kind, root)));
    expect([...found].sort()).toEqual(Object.values(PARTS).flatMap(Object.keys).sort());
  });
}

/** The roots of all bags of a file, and the states that the blocks among them lead to. */
function rootsOf(file: RecordedFile): Root[] {
  return bagsIn(file).flatMap((bag, place) =>
    readBocRoots(bag).flatMap((cell, index) => open(`${file.file} ${place}.${index}`, cell)),
  );
}

function open(name: string, cell: Cell): Root[] {
  const root = cell.type === "proof" ? openMerkleProof(cell, cell.refs[0]?.hashAt(0) as Uint8Array) : cell;
  const kind = kindOf(root);
  const form = cell.type === "proof" ? "proof" : root.levelMask > 0 ? "partial" : "whole";
  const own: Root = { name, kind, form, root };
  if (kind !== "block" || form !== "whole") return [own];
  return [own, { name, kind: "state", form: "partial", root: openMerkleUpdate(readBlockParts(root).stateUpdate) }];
}

const nothing = (): never => {
  throw new Error("no file has cells of this kind in this form");
};

const WHOLE: Readonly<Record<Kind, (root: Cell) => void>> = {
  block: readWholeBlock,
  transaction: readWholeTransaction,
  account: (root) => {
    const { storage } = loadAccount(toCoreCell(root).beginParse().skip(1));
    const { status, balance } = decodeAccount(root);
    const expected = storage.state.type === "uninit" ? "uninitialized" : storage.state.type;
    expect([status, balance]).toEqual([expected, storage.balance.coins]);
  },
  state: nothing,
  "nested proof": nothing,
};

function shownParts(kind: Kind, root: Cell): string[] {
  if (kind === "transaction" || kind === "account") return nothing();
  return Object.entries(PARTS[kind]).flatMap(([part, read]) => (shown(() => ({ value: read(root) })) ? [part] : []));
}

function readWholeBlock(root: Cell): void {
  const { globalId, info, flow, transactions, shards, queueChange, newStateHash } = readBlock(root);
  const parts = readBlockParts(root);
  const { incoming, outgoing } = sumValueFlow(flow);
  expect(formatCurrencies(incoming)).toBe(formatCurrencies(outgoing));
  expect(hex(buildBlockInfo(info).hash)).toBe(hex(parts.info.hash));
  expect(hex(buildValueFlow(flow).hash)).toBe(hex(parts.flow.hash));
  expect(hex(buildBlock(globalId, parts.info, parts.flow, parts.stateUpdate, parts.extra).hash)).toBe(hex(root.hash));
  const [before, after] = parts.stateUpdate.refs as [Cell, Cell];
  expect(readMerkleUpdate(parts.stateUpdate)).toEqual({ oldHash: before.hashAt(0), newHash: after.hashAt(0) });
  const [, , accountBlocks] = parts.extra.refs as [Cell, Cell, Cell];
  // Its extras are the sums of all fees.
  expect(hex(written(buildAccountBlocks(transactions.map(readTransactionHeader))).hash)).toBe(hex(accountBlocks.hash));
  for (const cell of transactions) readWholeTransaction(cell);
  for (const { account, lt, cell } of readTransactions(root)) expect(lookUpTransaction(root, { account, lt })).toBe(cell);
  // The independent reader reads the descriptions of all messages, with their envelopes.
  const { inMessages, outMessages } = walkBlock(writeBocRoots([root]));
  const messages = transactions.map(readTransactionHeader).flatMap(({ inMessage, outMessages: out }) => [inMessage, ...out]);
  const described = new Set([...inMessages.keys(), ...outMessages.keys()]);
  expect(messages.filter((message) => message && !described.has(hex(message.cell.hash)))).toEqual([]);
  expect(readBlockQueueChange(root)).toBe(queueChange);
  expect(readState(openMerkleUpdate(parts.stateUpdate))).toMatchObject({ seqno: info.seqno, lt: info.endLt });
  expect(hex(openMerkleUpdate(parts.stateUpdate).hashAt(0))).toBe(hex(newStateHash));
  readShownAccounts(root);
  if (info.workchain !== -1) return;

  const [, , , masterchain] = parts.extra.refs as [Cell, Cell, Cell, Cell];
  const reader = new CellReader(masterchain).skip(16 + 1);
  expect(hex(reader.maybeRef()?.hash)).toBe(hex(shardsRoot(shards).hash));
  expect(hex(written(collectShardFees(shards, info.seqno)).refs[0]?.hash)).toBe(hex(reader.maybeRef()?.hash));
  expect(readShardTops(readBlockShards(root)).map(({ block }) => block.seqno)).toEqual(shards.map(({ block }) => block.seqno));
  const config = readBlockConfig(root);
  expect(config !== undefined).toBe(info.isKey);
  if (config) readWholeConfig(config, info.catchainSeqno);
}

function shardsRoot(shards: Parameters<typeof writeShardHashes>[1]): Cell {
  const builder = new CellBuilder();
  writeShardHashes(builder, shards);
  return builder.cell().refs[0] as Cell;
}

function written(dictionary: { write(builder: CellBuilder): void }): Cell {
  const builder = new CellBuilder();
  dictionary.write(builder);
  return builder.cell();
}

function readWholeTransaction(cell: Cell): void {
  const { id, inMessage, outMessages, fee, totalFees, storageFee } = decodeTransaction(cell);
  const header = readTransactionHeader(cell);
  expect(header.lt).toBe(id.lt);
  expect(outMessages.map(({ createdLt }) => createdLt)).toEqual(outMessages.map((_, i) => id.lt + 1n + BigInt(i)));
  expect([fee >= totalFees, totalFees >= storageFee]).toEqual([true, true]);
  expect(deletesAccount(cell)).toBe(hex(header.newStateHash) === hex(new CellBuilder().bit(false).cell().hash));
  for (const message of [header.inMessage, ...header.outMessages]) {
    if (!message) continue;
    const decoded = decodeMessage(message.cell);
    expect(hex(decoded.hash)).toBe(hex(message.cell.hash));
    expect(decoded.value).toBe(message.value.coins);
  }
  expect(inMessage === undefined).toBe(header.inMessage === undefined);
  expect(incomingOf(cell)).toBe(creditOf(cell));
}

/** What the account gets with the message: its value, and the fee for IHR, which the sender's transaction has among its fees. */
function incomingOf(cell: Cell): bigint {
  const { inMessage } = decodeTransaction(cell);
  return inMessage ? inMessage.value + inMessage.ihrFee : 0n;
}

/** As the transaction itself describes it. */
function creditOf(cell: Cell): bigint {
  const { description } = loadTransaction(toCoreCell(cell).beginParse());
  const credit = "creditPhase" in description ? description.creditPhase : undefined;
  return credit ? credit.credit.coins + (credit.dueFeesColelcted ?? 0n) : 0n;
}

/**
 * The accounts of a block's transactions, as far as its state update shows them, are in the states that the transactions lead to, with the
 * balances before plus what they got, minus fees and what they sent.
 */
function readShownAccounts(root: Cell): void {
  const { stateUpdate } = readBlockParts(root);
  const state = openMerkleUpdate(stateUpdate);
  const { transactions } = readBlock(root);
  const last = new Map(transactions.map((cell) => [hex(readTransactionHeader(cell).account), cell]));
  const changes = new Map<string, bigint>();
  for (const cell of transactions) {
    const { accountHash, fee, outMessages } = decodeTransaction(cell);
    const account = hex(accountHash);
    const change = incomingOf(cell) - fee - outMessages.reduce((sum, { value }) => sum + value, 0n);
    changes.set(account, (changes.get(account) ?? 0n) + change);
  }
  for (const [account, cell] of last) {
    const { newStateHash, lt } = readTransactionHeader(cell);
    const entry = shown(() => lookUpAccount(state, Buffer.from(account, "hex")) ?? "none");
    const before = shown(() => lookUpAccount(stateUpdate.refs[0] as Cell, Buffer.from(account, "hex")) ?? "none");
    const [old, now] = [before, entry].map((each) => (typeof each === "string" ? 0n : each?.coins));
    if (old !== undefined && now !== undefined) expect(now - old).toBe(changes.get(account));
    if (entry === undefined) continue;
    if (entry === "none") {
      expect(deletesAccount(cell)).toBe(true);
      continue;
    }
    expect(hex(entry.account.hashAt(0))).toBe(hex(newStateHash));
    expect([entry.last.lt, hex(entry.last.hash)]).toEqual([lt, hex(cell.hash)]);
    const balance = shown(() => decodeAccount(entry.account).balance);
    expect(balance ?? entry.coins).toBe(entry.coins);
  }
}

/** The parameters that this package reads; all others are there as cells. */
function readWholeConfig(config: Cell, catchainSeqno: number): void {
  const sets = [32, 33, 34, 35, 36, 37].flatMap((id) => lookUp(config, uint32Key(id), 32)?.ref() ?? []);
  for (const set of sets) expect(hex(encodeValidatorSet(readValidatorSet(set)).hash)).toBe(hex(set.hash));
  expect(selectMasterchainValidators(config, catchainSeqno).validators.length).toBeGreaterThan(0);
  for (const { leaf } of readEntries(config, 32)) expect(leaf.ref().type).toBe("ordinary");
}

/** Undefined if a pruned branch is in the way, or if only the masterchain has the part. */
function shown<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (!/is not one of the masterchain$/.test(String(error))) expect(error).toBeInstanceOf(PrunedCellError);
    return undefined;
  }
}
