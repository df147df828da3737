/** Blocks, transactions and accounts that this package did not make: from a local chain, and from real networks if they are present. */
import { readFileSync } from "node:fs";
import { text } from "@chain-query/testing/block-walker/amounts";
import { type WalkedBlock, type WalkedRef, walkBlock } from "@chain-query/testing/block-walker/block";
import { bytesOf, type RecordedCells, recordedCells } from "@chain-query/testing/recorded";
import { Address, Cell as CoreCell, type Message as CoreMessage, loadTransaction } from "@ton/core";
import { describe, expect, test } from "vitest";
import { buildValueFlow } from "../src/blocks/block.ts";
import { type Block, readBlock, readBlockHeader, readBlockParts, readTransactions } from "../src/blocks/index.ts";
import { type Cell, readBoc, readBocRoots, sha256, writeBoc, writeBocRoots } from "../src/cells/index.ts";
import type { Currencies } from "../src/currencies.ts";
import type { BlockRef } from "../src/identifiers.ts";
import type { DecodedMessage, MessageHeader } from "../src/messages.ts";
import type { Resharding } from "../src/states/index.ts";
import { type DecodedTransaction, decodeTransaction, readTransactionHeader } from "../src/transactions.ts";

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** The zero state of the masterchain, then three steps: two shard blocks and the masterchain block. See local-chain/test/fixtures. */
const [zeroState, ...chain] = readBocRoots(readFileSync(new URL("fixtures/chain.boc", import.meta.url))) as [Cell, ...Cell[]];
const NO_DATA = "skipped: no recorded data in ../shared/bocs";

/** Tests all that is recorded, but blocks above a size. */
export function testRecorded(largestBlock: number): void {
  const recorded = {
    blocks: recordedCells("blocks").filter((cells) => bytesOf(cells).length <= largestBlock),
    transactions: recordedCells("tx"),
    accounts: recordedCells("accounts"),
  };
  /** The roots of the recorded blocks. */
  const blocks = recorded.blocks.map((cells) => readBoc(bytesOf(cells)));

  describe("blocks of a local chain", () => {
    test("refer to each other by root hash and file hash", () => {
      const ids = new Map([zeroState, ...chain].map((root) => [hex(root.hash), hex(sha256(writeBoc(root)))]));
      const refs = chain.flatMap((root) => {
        const { info, shards } = readBlock(root);
        return [info.previous, info.master, ...shards.map(({ block }) => block)].filter((ref) => ref !== undefined);
      });
      // The zero states of the shards are not part of the fixture.
      const known = refs.filter(({ rootHash }) => ids.has(hex(rootHash)));
      expect(known.length).toBe(refs.length - 2);
      for (const { rootHash, fileHash } of known) expect(ids.get(hex(rootHash))).toBe(hex(fileHash));
    });
  });

  const sources = [
    {
      source: "a local chain",
      bocs: chain.map(writeBoc),
      blocks: chain,
      transactions: [],
      others: [writeBoc(zeroState)],
      onlyHere: "out 100",
    },
    {
      source: "real networks",
      bocs: recorded.blocks.map(bytesOf),
      blocks,
      transactions: recorded.transactions.map(bytesOf),
      // Among them a proof with two roots, of a Merkle proof each.
      others: recorded.accounts.map(bytesOf),
      onlyHere: "out 000",
    },
  ];

  describe.each(sources)("cells of $source", ({ bocs, blocks, transactions, others, onlyHere }) => {
    test("have the hashes that @ton/core computes, and are written as it writes them", ({ skip }) => {
      if (bocs.length === 0) skip(NO_DATA);
      for (const boc of [...bocs, ...transactions, ...others]) {
        const core = CoreCell.fromBoc(Buffer.from(boc));
        const roots = readBocRoots(boc);
        expect(roots.map(hashes)).toEqual(core.map(hashes));
        for (const [i, root] of roots.entries()) expect(Buffer.from(writeBoc(root))).toEqual(core[i]?.toBoc());
        expect(readBocRoots(writeBocRoots(roots)).map(hashes)).toEqual(core.map(hashes));
      }
    });

    test("are blocks in which the independent reader finds every sum and hash right, and the same as readBlock", ({ skip }) => {
      if (bocs.length === 0) skip(NO_DATA);
      const tags = new Set<string>();
      for (const [i, boc] of bocs.entries()) {
        const walked = walkBlock(boc);
        expect(summaryOf(readBlock(blocks[i] as Cell))).toEqual(walkedSummaryOf(walked));
        for (const { tag } of walked.inMessages.values()) tags.add(`in ${tag}`);
        for (const { tag } of walked.outMessages.values()) tags.add(`out ${tag}`);
      }
      const every = ["in 000", "in 011", "in 100", "out 001", "out 010", "out 1101", onlyHere];
      expect([...tags].sort()).toEqual(every.sort());
    });

    test("hold transactions that read as @ton/core reads them", ({ skip }) => {
      if (bocs.length === 0) skip(NO_DATA);
      for (const cell of [...blocks.flatMap((block) => readBlock(block).transactions), ...transactions.map(readBoc)]) {
        const core = coreSummaryOf(cell);
        expect(decodedSummaryOf(decodeTransaction(cell))).toEqual(core.decoded);
        expect(headerSummaryOf(cell)).toEqual(core.header);
      }
    });
  });

  describe("recorded cells", () => {
    // An index that begins late has the configuration with its first step, without lite servers too.
    test("of masterchain blocks run the account of the configuration as each such block does", ({ skip }) => {
      if (recorded.blocks.length === 0) skip(NO_DATA);
      const masterchain = blocks.filter((root) => readBlockHeader(root).workchain === -1);
      expect(masterchain.length).toBeGreaterThan(0);
      for (const root of masterchain) {
        const found = [...readTransactions(root)].find(({ account }) => hex(account) === "55".repeat(32));
        // trans_tick_tock$001 is_tock:1
        expect((found?.cell.refs.at(-1)?.bytes[0] ?? 0) >> 4).toBe(0b0011);
      }
    });

    test("match their index", ({ skip }) => {
      if (recorded.blocks.length === 0) skip(NO_DATA);
      for (const [i, cells] of recorded.blocks.entries()) {
        const root = blocks[i] as Cell;
        const { globalId, info, flow, transactions, queueChange } = readBlock(root);
        const shard = BigInt.asUintN(64, info.shard).toString(16);
        expect(cells.file).toBe(`blocks/${globalId}_${info.workchain}_${shard}_${info.seqno}.boc`);
        const found = {
          place: `(${info.workchain},${info.shard},${info.seqno}), global_id ${globalId}, utime ${info.time}`,
          lt: `${info.startLt}..${info.endLt}`,
          transactions: `${transactions.length}`,
          hashes: `root_hash ${base64(root.hash)} file_hash ${base64(sha256(bytesOf(cells)))}`,
          day: new Date(info.time * 1000).toISOString().slice(0, 10),
          queue: `${queueChange}`,
          key: info.isKey ? "key block" : "block",
          burned: flow.burned.coins > 0n ? "burned" : "nothing",
        };
        expect(found).toMatchObject(factsIn(cells, BLOCK_FACTS));
        expect(hex(buildValueFlow(flow).hash)).toBe(hex(readBlockParts(root).flow.hash));
      }
      for (const cells of recorded.transactions) {
        const { accountHash, id, inMessage, outMessages, totalFees } = decodeTransaction(readBoc(bytesOf(cells)));
        const found = {
          account: hex(accountHash),
          lt: `${id.lt}`,
          hash: base64(id.hash),
          from: inMessage?.source ? "internal" : "external-in",
          out: `${outMessages.length}`,
          totalFees: `${totalFees}`,
        };
        expect(found).toMatchObject(factsIn(cells, TRANSACTION_FACTS));
      }
    });

    test("hold, in blocks, the transactions that were cut out of them", ({ skip }) => {
      if (recorded.blocks.length === 0) skip(NO_DATA);
      const found = new Set(blocks.flatMap((block) => readBlock(block).transactions.map(({ hash }) => hex(hash))));
      const cut = recorded.transactions.filter(({ what }) => what.startsWith("tx 0:")).map((cells) => readBoc(bytesOf(cells)));
      expect(cut.filter(({ hash }) => found.has(hex(hash))).length).toBe(9);
    });
  });
}

function hashes(cell: Cell | CoreCell): string[] {
  return [0, 1, 2, 3].map((level) =>
    cell instanceof CoreCell
      ? `${cell.hash(level).toString("hex")} ${cell.depth(level)}`
      : `${hex(cell.hashAt(level))} ${cell.depthAt(level)}`,
  );
}

/** The facts in a line of the index about a block, and about a transaction. */
const BLOCK_FACTS = {
  place: /^block (\(.*?\), global_id \S+, utime \d+)/,
  lt: /, lt (\d+\.\.\d+)/,
  transactions: /(\d+) (?:txs|transactions)/,
  hashes: /root_hash \S+ file_hash \S+/,
  day: /^mainnet .*?(\d{4}-\d\d-\d\d)/,
  queue: /queue \+(\d+)/,
  key: /key block/,
  burned: /burned/,
};
const TRANSACTION_FACTS = {
  account: /(?:tx -?\d+:|addr )([0-9a-f]{64})/,
  lt: /\blt (\d+)/,
  hash: /\bhash (\S{44})/,
  from: /in:(\S+)/,
  out: /out:(\d+)/,
  totalFees: /total_fees (\d+)/,
};

function factsIn({ what }: RecordedCells, facts: Readonly<Record<string, RegExp>>): Record<string, string> {
  const found = Object.entries(facts).map(([name, pattern]) => [name, pattern.exec(what)] as const);
  return Object.fromEntries(found.flatMap(([name, match]) => (match ? [[name, match[1] ?? match[0]]] : [])));
}

function summaryOf({ info, flow, ...block }: Block) {
  const amounts = ({ coins, extra }: Currencies) =>
    text(
      new Map(
        [[0, coins] as const, ...extra.map(({ id, amount }) => [(id >>> 0) + 1, amount] as const)].filter(
          ([, amount]) => amount !== 0n,
        ),
      ),
    );
  const { minted: _, recovered: __, ...flows } = flow;
  return {
    globalId: block.globalId,
    info: {
      ...info,
      shard: BigInt.asUintN(64, info.shard).toString(16).padStart(16, "0"),
      previous: refText(info.previous),
      mergedWith: info.mergedWith && refText(info.mergedWith),
      master: info.master && refText(info.master),
    },
    flow: Object.fromEntries(Object.entries(flows).map(([name, value]) => [name, amounts(value)])),
    states: [hex(block.oldStateHash), hex(block.newStateHash)],
    transactions: block.transactions.map(({ hash }) => hex(hash)),
    queueChange: block.queueChange,
    shards: block.shards.map(({ workchain, shard, block: newest, registeredSeqno, startLt, feesCollected, resharding }) => ({
      name: `${workchain} ${BigInt.asUintN(64, shard).toString(16).padStart(16, "0")} ${refText(newest)}`,
      registeredSeqno,
      startLt,
      fees: amounts(feesCollected),
      ...announcedOf(resharding),
    })),
  };
}

/** As the independent reader has it. */
function announcedOf({ isBeforeSplit, isBeforeMerge, wantsSplit, wantsMerge, window }: Resharding = {}) {
  const flags = [isBeforeSplit, isBeforeMerge, wantsSplit, wantsMerge].map((flag) => (flag ? "1" : "0")).join("");
  return { flags, future: window && { kind: window.kind, start: window.start, interval: window.seconds } };
}

const QUEUE_CHANGES: Readonly<Record<string, number>> = { "001": 1, "011": 1, "100": -1, "1100": -1, "1101": -1 };

function walkedSummaryOf({ workchain, shard, seqno, time, startLt, endLt, isKey, ...block }: WalkedBlock) {
  const tags = Array.from(block.outMessages.values(), ({ tag }) => tag);
  return {
    globalId: block.globalId,
    info: {
      ...{ workchain, shard, seqno, time, startLt, endLt, isKey },
      minRefMasterchainSeqno: block.minRef,
      previousKeySeqno: block.keySeqno,
      verticalSeqno: block.verticalSeqno,
      software: block.software,
      validatorListHash: block.validators.listHash,
      catchainSeqno: block.validators.catchainSeqno,
      previous: refText(block.previous[0]),
      mergedWith: block.previous[1] && refText(block.previous[1]),
      isAfterSplit: block.flags.afterSplit,
      isBeforeSplit: block.flags.beforeSplit,
      wantsSplit: block.flags.wantSplit,
      wantsMerge: block.flags.wantMerge,
      master: block.master && refText(block.master),
    },
    flow: Object.fromEntries(Object.entries(block.flow).map(([name, value]) => [name, text(value)])),
    states: [block.oldState, block.newState],
    transactions: block.transactions.map(({ hash }) => hash),
    queueChange: tags.reduce((change, tag) => change + (QUEUE_CHANGES[tag] ?? 0), 0),
    shards: block.shards.map((each) => ({
      name: `${each.workchain} ${each.shard} ${refText(each)}`,
      registeredSeqno: each.registered,
      startLt: each.startLt,
      fees: text(each.fees),
      flags: each.flags,
      future: each.future,
    })),
  };
}

function refText(ref: BlockRef | WalkedRef | undefined): string {
  const text = (hash: Uint8Array | string | undefined) => (typeof hash === "string" ? hash : hex(hash ?? Buffer.of()));
  return `${ref?.seqno} ${ref?.endLt} ${text(ref?.rootHash)} ${text(ref?.fileHash)}`;
}

function decodedSummaryOf({ id, previous, time, totalFees, storageFee, inMessage, outMessages }: DecodedTransaction) {
  const message = ({ source, destination, value, forwardFee, createdLt, bodyHash, initState }: DecodedMessage) => ({
    ...{ source: addressText(source), destination: addressText(destination), value, forwardFee, createdLt },
    ...{ bodyHash: hex(bodyHash), deploys: initState !== undefined },
  });
  const messages = [inMessage, ...outMessages].map((each) => each && message(each));
  return { lt: id.lt, previousLt: previous.lt, previousHash: hex(previous.hash), time, totalFees, storageFee, messages };
}

function headerSummaryOf(cell: Cell) {
  const header = readTransactionHeader(cell);
  const message = ({ kind, bounce, bounced, source, destination, value, forwardFee, createdLt, createdAt }: MessageHeader) => ({
    ...{ kind, bounce, bounced, source: addressText(source), destination: addressText(destination) },
    ...{ value: value.coins, forwardFee, createdLt, createdAt },
  });
  return {
    account: hex(header.account),
    ...{ lt: header.lt, previousLt: header.previousLt, time: header.time, totalFees: header.totalFees.coins },
    states: [hex(header.oldStateHash), hex(header.newStateHash)],
    messages: [header.inMessage, ...header.outMessages].map((each) => each && message(each)),
  };
}

function addressText(address: { workchain: number; hash: Uint8Array } | undefined): string | undefined {
  return address && `${address.workchain}:${hex(address.hash)}`;
}

/** The expected values of both readers, from @ton/core. */
function coreSummaryOf(cell: Cell) {
  const core = loadTransaction((CoreCell.fromBoc(Buffer.from(writeBoc(cell)))[0] as CoreCell).beginParse());
  const { lt, prevTransactionLt: previousLt, now: time, description, stateUpdate } = core;
  const storageFee = "storagePhase" in description ? (description.storagePhase?.storageFeesCollected ?? 0n) : 0n;
  const parts = [core.inMessage ?? undefined, ...core.outMessages.values()].map((each) => each && coreMessageOf(each));
  const totalFees = core.totalFees.coins;
  return {
    decoded: {
      ...{ lt, previousLt, previousHash: hash256(core.prevTransactionHash), time, totalFees, storageFee },
      messages: parts.map((part) => part?.decoded),
    },
    header: {
      ...{ account: hash256(core.address), lt, previousLt, time, totalFees },
      states: [hex(stateUpdate.oldHash), hex(stateUpdate.newHash)],
      messages: parts.map((part) => part?.header),
    },
  };
}

function hash256(value: bigint): string {
  return value.toString(16).padStart(64, "0");
}

function coreMessageOf({ info, body, init }: CoreMessage) {
  const end = (address: unknown) => (Address.isAddress(address) ? address.toRawString() : undefined);
  const isInternal = info.type === "internal";
  const shared = {
    ...{ source: end(info.src), destination: end(info.dest) },
    ...{ value: isInternal ? info.value.coins : 0n, forwardFee: isInternal ? info.forwardFee : 0n },
    createdLt: info.type === "external-in" ? 0n : info.createdLt,
  };
  return {
    decoded: { ...shared, bodyHash: body.hash().toString("hex"), deploys: Boolean(init) },
    header: {
      ...{ ...shared, kind: info.type, createdAt: info.type === "external-in" ? 0 : info.createdAt },
      ...{ bounce: isInternal && info.bounce, bounced: isInternal && info.bounced },
    },
  };
}
