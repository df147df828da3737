/** Proofs of real networks. Only their bytes are recorded, so parts of the ids are taken from the proofs. */

import { decodeAccount } from "@chain-query/format/accounts";
import { lookUpTransaction, readBlock, readBlockHeader, readBlockParts, readBlockShards } from "@chain-query/format/blocks";
import {
  type Cell,
  CellReader,
  createMerkleProof,
  hex,
  openMerkleProof,
  PrunedCellError,
  readBoc,
  readBocRoots,
  readMerkleUpdate,
  writeBoc,
} from "@chain-query/format/cells";
import { lookUp, uint32Key } from "@chain-query/format/dictionaries";
import { type BlockId, WHOLE_WORKCHAIN } from "@chain-query/format/identifiers";
import { lookUpAccount, lookUpPastBlock, lookUpShard, readMasterchainParts, readState } from "@chain-query/format/states";
import { readTransactionHeader } from "@chain-query/format/transactions";
import { NO_DATA, recorded } from "@chain-query/testing/recorded";
import { describe, expect, test } from "vitest";
import { checkAccountState } from "../../../src/proof/account.ts";
import { checkBlockData, openHeader, openState } from "../../../src/proof/block.ts";
import { LiteError } from "../../../src/wire/lite-error.ts";
import { queries } from "../../../src/wire/tl/queries.ts";
import { flipBits, recordedAccount } from "./account.ts";

const fromHex = (text: string) => Buffer.from(text.replaceAll(/#.*|\s/g, ""), "hex");
const MASTER = { workchain: -1, shard: WHOLE_WORKCHAIN };

describe("an account of mainnet's basechain", () => {
  const text = recorded("ton-net/read-basechain.txt");

  test("verifies", ({ skip }) => {
    if (text === undefined) return skip(NO_DATA);
    const { asked, answer } = recordedAccount(text);
    const found = checkAccountState(asked, answer);
    expect(found.account?.status).toBe("active");
    expect(found.cell && hex(found.cell.hash)).toBe(hex(readBoc(answer.state).hash));
    expect(found.block).toMatchObject({ id: { seqno: 81037208 } });
    expect(found.shardBlock).toMatchObject({ id: { seqno: 85733283 } });
    expect(found.last.lt).toBeGreaterThan(0n);
  });

  test("with another bit is refused, or read the same", ({ skip }) => {
    if (text === undefined) return skip(NO_DATA);
    flipBits(text, 100);
  });

  test("is not accepted as absent, or as another account", ({ skip }) => {
    if (text === undefined) return skip(NO_DATA);
    const { asked, answer } = recordedAccount(text);
    expect(() => checkAccountState(asked, { ...answer, state: new Uint8Array() })).toThrow("must have a state, got none");
    for (const bit of [0, 3, 255]) {
      const hash = Uint8Array.from(asked.account.hash);
      hash[bit >> 3] = (hash[bit >> 3] as number) ^ (0x80 >> (bit & 7));
      const other = { at: asked.at, account: { workchain: 0, hash } };
      // With the last bit changed, the proof shows the absence; with an earlier bit, the path is pruned.
      const expected = bit === 255 ? /must be empty, got a state/ : /is a pruned branch/;
      expect(() => checkAccountState(other, answer)).toThrow(expected);
    }
  });
});

describe("other recorded proofs", () => {
  test("a masterchain account's proof leads to the account", ({ skip }) => {
    const text = recorded("ton-net/account-proof.hex");
    if (text === undefined) return skip(NO_DATA);
    const proofs = readBocRoots(fromHex(text));
    const rootHash = proofs[0]?.refs[0]?.hashAt(0) as Uint8Array;
    const { state, block } = openState({ ...MASTER, seqno: 80970741, rootHash, fileHash: Buffer.alloc(32) }, proofs);
    expect(block?.time).toBe(1784580710);
    // The configuration's account, at an address of fives.
    expect(lookUpAccount(state, Buffer.alloc(32, 0x55))?.coins).toBe(2669552306081n);
    expect(() => lookUpAccount(state, Buffer.alloc(32, 0x33))).toThrow(PrunedCellError);
  });

  test("a block has the root hash and the file hash of its id", ({ skip }) => {
    const text = recorded("ton-net/block-basechain.hex");
    if (text === undefined) return skip(NO_DATA);
    const [rootHash, fileHash] = ["root_hash", "file_hash"].map((name) =>
      Buffer.from(new RegExp(`${name}=(\\w+)`).exec(text)?.[1] ?? "", "hex"),
    ) as [Buffer, Buffer];
    const id: BlockId = { workchain: 0, shard: WHOLE_WORKCHAIN, seqno: 86062610, rootHash, fileHash };
    const data = fromHex(text);
    const { info, transactions } = readBlock(readBoc(checkBlockData(id, { id, data })));
    expect(info.seqno).toBe(86062610);
    // Every transaction is found by account and lt in a proof of its own.
    const root = readBoc(data);
    for (const cell of transactions) {
      const place = readTransactionHeader(cell);
      const proof = createMerkleProof(root, (block) => void lookUpTransaction(block, place));
      const shown = openMerkleProof(readBoc(writeBoc(proof)), rootHash);
      expect(hex(lookUpTransaction(shown, place)?.hashAt(0))).toBe(hex(cell.hash));
    }
    expect(() => checkBlockData(id, { id, data: data.subarray(1) })).toThrow("does not match");
  });

  test("accounts decode", ({ skip }) => {
    const texts = ["active", "uninit"].map((name) => recorded(`ton-net/${name}-account.hex`));
    if (texts.includes(undefined)) return skip(NO_DATA);
    expect(texts.map((text) => decodeAccount(readBoc(fromHex(text ?? ""))).status)).toEqual(["active", "uninitialized"]);
  });

  test("a configuration's proof shows its parameters", ({ skip }) => {
    const bytes = recorded("tongo/config-proof-4324374.boc", "latin1");
    if (bytes === undefined) return skip(NO_DATA);
    const [proof] = readBocRoots(Buffer.from(bytes, "latin1"));
    const state = openMerkleProof(proof as Cell, (proof as Cell).refs[0]?.hashAt(0) as Uint8Array);
    expect(readState(state).seqno).toBe(4324374);
    const { config } = readMasterchainParts(state);
    const shown = [0, 1, 8, 15, 28, 34].filter((index) => {
      try {
        return lookUp(config, uint32Key(index), 32) !== undefined;
      } catch (error) {
        expect(error).toBeInstanceOf(PrunedCellError);
        return false;
      }
    });
    expect(shown.length).toBeGreaterThan(0);
  });

  test("a link to a key block has the headers of both blocks", ({ skip }) => {
    const text = recorded("ton-net/one-link-simplex.hex");
    if (text === undefined) return skip(NO_DATA);
    const knownBlock = { ...MASTER, seqno: 0, rootHash: Buffer.alloc(32), fileHash: Buffer.alloc(32) };
    const [link] = queries.getBlockProof({ mode: 0, knownBlock }).read(fromHex(text)).steps;
    if (link?.type !== "blockLinkForward") throw new Error("the answer has no forward link");
    for (const [id, proof] of [
      [link.from, link.configProof],
      [link.to, link.destProof],
    ] as const) {
      const { header } = openHeader(id, readBoc(proof));
      expect([header.isKey, header.globalId]).toEqual([true, -239]);
      expect(() => openHeader({ ...id, seqno: id.seqno + 1 }, readBoc(proof))).toThrow(LiteError);
    }
    expect(() => openHeader(link.to, readBoc(link.configProof))).toThrow("must prove the tree");
  });

  test("a proof of a proof of a proof has the hash of its index", ({ skip }) => {
    const text = recorded("tonutils-go/proof-L58.hex");
    if (text === undefined) return skip(NO_DATA);
    const proof = readBoc(fromHex(text));
    expect(proof.type).toBe("proof");
    expect(hex(proof.refs[0]?.hashAt(0) ?? fromHex(""))).toMatch(/^6fc7808e/);
  });
});

test("testnet's trees lead from a state to a block before it, its shard, and a transaction in that", ({ skip }) => {
  const text = recorded("tonbridge-sdk/signed-testnet-blocks.json");
  if (text === undefined) return skip(NO_DATA);
  const trees = new Map<string, Tree>(JSON.parse(text).data.map((tree: Tree) => [tree.type, tree]));
  const rootOf = (type: string) => readBoc(Buffer.from([trees.get(type)?.boc].flat()[0] ?? "", "hex"));
  for (const type of ["set-validators", "proof-validators"]) {
    const { seqno, isMasterchain } = readBlockHeader(rootOf(type));
    expect([seqno, isMasterchain]).toEqual([type === "set-validators" ? 4350480 : 4350531, true]);
  }
  const id = trees.get("proof-validators")?.id;
  expect(hex(rootOf("proof-validators").hashAt(0))).toBe(id?.rootHash);

  const state = rootOf("shard-state");
  const { newHash } = readMerkleUpdate(readBlockParts(rootOf("state-hash")).stateUpdate);
  expect(hex(state.hashAt(0))).toBe(hex(newHash));
  const past = lookUpPastBlock(state, 4351353);
  if (!past) throw new Error("the state has no block 4351353");
  expect(trees.get("shard-state")?.id).toMatchObject({ rootHash: hex(past.rootHash), fileHash: hex(past.fileHash) });

  const master = openMerkleProof(rootOf("shard-block"), past.rootHash);
  const top = lookUpShard(readBlockShards(master), { workchain: 0, shard: WHOLE_WORKCHAIN });
  if (!top) throw new Error("the block has no shard");
  const tree = trees.get("tx-proof");
  const place = { account: Buffer.from(tree?.addr?.slice(2) ?? "", "hex"), lt: BigInt(tree?.txId?.lt ?? 0) };
  const root = rootOf("tx-proof");
  expect(hex(root.hashAt(0))).toBe(hex(top.block.rootHash));
  const found = lookUpTransaction(root, place);
  expect(found && hex(found.hashAt(0))).toBe(tree?.txId?.hash);
  expect(new CellReader(readBoc(Buffer.from(tree?.txBoc ?? "", "hex"))).uint(4)).toBe(7);
  expect(lookUpTransaction(root, { ...place, lt: place.lt + 1n })).toBeUndefined();
});

interface Tree {
  readonly type: string;
  readonly boc: string | readonly string[];
  readonly id?: { readonly rootHash: string; readonly fileHash: string };
  readonly addr?: string;
  readonly txId?: { readonly lt: string; readonly hash: string };
  readonly txBoc?: string;
}
