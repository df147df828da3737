import { lookUpTransaction, readBlockHeader, readBlockParts, readBlockShards } from "@chain-query/format/blocks";
import {
  type Cell,
  CellReader,
  hex,
  openMerkleProof,
  PrunedCellError,
  readBoc,
  readBocRoots,
  readMerkleUpdate,
} from "@chain-query/format/cells";
import { type AccountId, type BlockId, smallestShard, WHOLE_WORKCHAIN } from "@chain-query/format/identifiers";
import { lookUpAccount, lookUpPastBlock, lookUpShard, readStateShards } from "@chain-query/format/states";
import { openState } from "@chain-query/proof/blocks";
import { NO_DATA, recorded } from "@chain-query/testing/recorded";
import { describe, expect, test } from "vitest";
import { checkAccountState } from "../../../src/proof/account.ts";
import type { LiteAnswer } from "../../../src/wire/tl/scheme.ts";

const fromHex = (text: string) => Buffer.from(text.replaceAll(/#.*|\s/g, ""), "hex");
const MASTER = { workchain: -1, shard: WHOLE_WORKCHAIN };

/** The answer of a mainnet server about an account of the basechain; the file hashes are from its proof. */
function recordedAccount(text: string): {
  readonly asked: { readonly at: BlockId; readonly account: AccountId };
  readonly answer: LiteAnswer<"getAccountState">;
} {
  const fields = new Map(Array.from(text.matchAll(/^(\w+)=(\S*)$/gm), ([, name = "", value = ""]) => [name, value]));
  const number = (name: string) => Number(fields.get(name));
  const bytes = (name: string) => Buffer.from(fields.get(name) ?? "", "hex");
  const account: AccountId = { workchain: number("workchain"), hash: bytes("account_id") };
  const at: BlockId = {
    ...MASTER,
    seqno: number("block_seqno"),
    rootHash: bytes("block_root_hash"),
    fileHash: Buffer.alloc(32),
  };
  const [, shardState] = readBocRoots(bytes("shard_proof"));
  const top = lookUpShard(readStateShards(shardState?.refs[0] as Cell), smallestShard(account));
  const shardblk: BlockId = {
    ...{ workchain: 0, shard: BigInt.asIntN(64, BigInt(`0x${fields.get("shard_block_shard")}`)) },
    ...{ seqno: number("shard_block_seqno"), rootHash: bytes("shard_block_root_hash") },
    fileHash: top?.block.fileHash ?? Buffer.alloc(0),
  };
  const proofs = { shardProof: bytes("shard_proof"), proof: bytes("proof"), state: bytes("state") };
  const answer: LiteAnswer<"getAccountState"> = { id: at, shardblk, ...proofs };
  return { asked: { at, account }, answer };
}

describe("an account of mainnet's basechain", () => {
  const text = recorded("ton-net/read-basechain.txt");

  test("verifies", ({ skip }) => {
    if (text === undefined) return skip(NO_DATA);
    const { asked, answer } = recordedAccount(text);
    const found = checkAccountState(asked, answer);
    expect(found.account?.status).toBe("active");
    expect(found.cell && hex(found.cell.hash)).toBe(hex(readBoc(answer.state).hash));
    expect(found.last.lt).toBeGreaterThan(0n);
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

test("a masterchain account's proof leads to the account", ({ skip }) => {
  const text = recorded("ton-net/account-proof.hex");
  if (text === undefined) return skip(NO_DATA);
  const proofs = readBocRoots(fromHex(text));
  const rootHash = proofs[0]?.refs[0]?.hashAt(0) as Uint8Array;
  const state = openState({ ...MASTER, seqno: 80970741, rootHash, fileHash: Buffer.alloc(32) }, proofs);
  // The configuration's account, at an address of fives.
  expect(lookUpAccount(state, Buffer.alloc(32, 0x55))?.coins).toBe(2669552306081n);
  expect(() => lookUpAccount(state, Buffer.alloc(32, 0x33))).toThrow(PrunedCellError);
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
