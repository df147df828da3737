import {
  type Cell,
  createMerkleProof,
  PrunedCellError,
  readBocRoots,
  writeBoc,
  writeBocRoots,
} from "@chain-query/format/cells";
import { coinsOnly } from "@chain-query/format/currencies";
import type { AccountId, BlockId } from "@chain-query/format/identifiers";
import { encodeState, encodeZeroState, lookUpAccount } from "@chain-query/format/states";
import { readProvedAccount } from "@chain-query/proof/accounts";
import { openState } from "@chain-query/proof/blocks";
import { describe, expect, test } from "vitest";
import { cyclicBag, deepBag } from "../../src/faults/false-answers.ts";
import { checkAccountState } from "../../src/proof/account.ts";
import { LiteError } from "../../src/wire/lite-error.ts";
import type { LiteAnswer } from "../../src/wire/tl/scheme.ts";
import { accountAnswer, expectUnproven, headerProof, stateProofs } from "./honest-answers.ts";
import { ACTIVE, address, IDLE, LEFT, MASTER, sampleChain, zeroState } from "./sample-chain.ts";

const chain = sampleChain(3);
const at = chain.block(MASTER, 3);
const [account, neighbour] = ACTIVE as readonly [AccountId, AccountId, ...AccountId[]];
const inMaster = ACTIVE.find(({ workchain }) => workchain === -1) as AccountId;
const absent: AccountId = { workchain: 0, hash: address(0x13) };
const honest = accountAnswer(chain, at, account);
const asked = { at: at.id, account };

describe("checkAccountState", () => {
  test("finds every account, with its last transaction", () => {
    for (const one of [...ACTIVE, ...IDLE]) {
      const found = checkAccountState({ at: at.id, account: one }, accountAnswer(chain, at, one));
      expect(found.account).toMatchObject({ status: "uninitialized", balance: 7n });
      const own = chain.transactions.filter(({ account: of }) => of === one);
      expect(found.last).toEqual(own.at(-1)?.id ?? { lt: 0n, hash: new Uint8Array(32) });
    }
  });

  test("finds that an account does not exist", () => {
    for (const one of [absent, { workchain: -1, hash: address(0x13) }, { workchain: 0, hash: address(0xfe) }]) {
      const found = checkAccountState({ at: at.id, account: one }, accountAnswer(chain, at, one));
      expect([found.account, found.cell]).toEqual([undefined, undefined]);
      expect(found.last).toEqual({ lt: 0n, hash: new Uint8Array(32) });
    }
  });

  test("finds that the chain has no such shard, with any id in place of a block", () => {
    for (const workchain of [5, 1, -2, 2 ** 31 - 1]) {
      const stranger = { workchain, hash: address(0xab) };
      for (const shardblk of [noBlock(workchain), noBlock(-(2 ** 31)), honest.shardblk]) {
        const found = checkAccountState({ at: at.id, account: stranger }, { ...accountAnswer(chain, at, stranger), shardblk });
        expect([found.account, found.cell, found.last.lt]).toEqual([undefined, undefined, 0n]);
      }
    }
  });

  test("reads zero states, which have no block", () => {
    const zero = chain.block(MASTER, 0);
    for (const one of [account, inMaster, absent]) {
      const found = checkAccountState({ at: zero.id, account: one }, accountAnswer(chain, zero, one));
      expect(found.account?.balance).toBe(one === absent ? undefined : 7n);
    }
  });
});

test("an account is read from the proof of its state alone, and a pruned one is not", () => {
  for (const one of [account, absent]) {
    const shard = chain.block(LEFT, 6);
    const read = (state: Cell) => readProvedAccount(state, one);
    const shown = openState(shard.id, readBocRoots(stateProofs(shard, read)));
    const { account: found, cell } = checkAccountState({ at: at.id, account: one }, accountAnswer(chain, at, one));
    expect(read(shown).account).toEqual(found);
    expect(read(shown).cell?.hashAt(0)).toEqual(cell?.hash);
    const pruned = openState(shard.id, readBocRoots(stateProofs(shard, (state) => lookUpAccount(state, one.hash))));
    if (found) expect(() => read(pruned)).toThrow(PrunedCellError);
  }
});

describe("checkAccountState rejects", () => {
  const falseAnswers: readonly [what: string, falseAnswer: Partial<LiteAnswer<"getAccountState">>, message: string | RegExp][] =
    [];
  const falseAnswer = (what: string, message: string | RegExp, changes: Partial<LiteAnswer<"getAccountState">>) =>
    void (falseAnswers as [string, Partial<LiteAnswer<"getAccountState">>, string | RegExp][]).push([what, changes, message]);

  const earlier = accountAnswer(chain, chain.block(MASTER, 2), account);
  const other = accountAnswer(chain, at, neighbour);
  const elsewhere = accountAnswer(chain, at, ACTIVE[3] as AccountId);
  const shard = chain.block(LEFT, 6);
  const [mcHeader, mcState] = readBocRoots(honest.shardProof) as [Cell, Cell];
  const [header, state] = readBocRoots(honest.proof) as [Cell, Cell];

  falseAnswer("the answer of another block", "the block of an account must be", { id: earlier.id });
  falseAnswer("an older state of the shard", "the newest block of the account's shard must be", {
    shardblk: earlier.shardblk,
    proof: earlier.proof,
    state: earlier.state,
  });
  falseAnswer("a shard block with another file hash", "the newest block of the account's shard must be", {
    shardblk: { ...honest.shardblk, fileHash: new Uint8Array(32) },
  });
  falseAnswer("the proof of another masterchain block", /a Merkle proof must prove the tree/, {
    shardProof: earlier.shardProof,
  });
  falseAnswer("the proof of another shard block", /a Merkle proof must prove the tree/, { proof: earlier.proof });
  falseAnswer("a shard that cannot hold the account", "the newest block of the account's shard must be", {
    ...elsewhere,
    shardProof: honest.shardProof,
  });
  falseAnswer("the state of another account", /the state of account 10.* must have hash/, { state: other.state });
  falseAnswer("another account with its proof", "is a pruned branch", { proof: other.proof, state: other.state });
  falseAnswer("a missing state", "must have a state, got none", { state: new Uint8Array() });
  falseAnswer("an absence that a pruned branch hides", "is a pruned branch", {
    proof: stateProofs(shard, (root) => lookUpAccount(root, address(0x30))),
    state: new Uint8Array(),
  });
  falseAnswer("accounts that are pruned as a whole", "is a pruned branch", {
    proof: writeBocRoots([header, createMerkleProof(shard.state, () => undefined)]),
    state: new Uint8Array(),
  });
  falseAnswer("a state without its header", "must have 2 roots, got 1", { proof: writeBoc(state) });
  falseAnswer("a masterchain state without its header", "must have 2 roots, got 1", { shardProof: writeBoc(mcState) });
  falseAnswer("roots in another order", /a Merkle proof must prove the tree/, {
    shardProof: writeBocRoots([mcState, mcHeader]),
  });
  falseAnswer("the header of another block", /a Merkle proof must prove the tree/, {
    proof: writeBocRoots([headerProof(chain.block(LEFT, 5)), state]),
  });
  falseAnswer("the state of another block", /a Merkle proof must prove the tree/, {
    proof: writeBocRoots([header, (readBocRoots(earlier.proof) as [Cell, Cell])[1]]),
  });
  falseAnswer("a header that hides the state's hash", "must show the hash of its state", {
    proof: writeBocRoots([headerProof(shard, false), state]),
  });
  falseAnswer("roots that are no proofs", "a cell must be a Merkle proof, got type ordinary", {
    proof: writeBocRoots([header.refs[0] as Cell, state.refs[0] as Cell]),
  });
  falseAnswer("three roots", "must have at most", { proof: writeBocRoots([header, state, state]) });
  falseAnswer("a truncated proof", "a bag of cells has", { proof: honest.proof.subarray(0, -9) });
  falseAnswer("no proof", "a bag of cells ends within its first 4 bytes", { proof: new Uint8Array() });
  falseAnswer("a pruned state", /the state of account 10.* must have hash/, {
    state: writeBoc(pruned(readBocRoots(honest.state)[0])),
  });
  falseAnswer("a tree of cells that is deeper than 1024", "deeper than 1024", { proof: deepBag() });
  falseAnswer("a pruned branch that is deeper than 1024", "deeper than 1024", {
    proof: withDepth(honest.proof, 65_535),
  });
  falseAnswer("cells that refer back", "refers back to cell 0", { proof: cyclicBag() });
  falseAnswer("more cells than a proof may have", "must have at most 32768 cells", { proof: wideBag(32_769) });

  test.each(falseAnswers)("%s", (_, changes, message) => {
    expectUnproven(() => checkAccountState(asked, { ...honest, ...changes }), message);
  });

  test("a state where there must be none", () => {
    const empty = accountAnswer(chain, at, absent);
    expect(() => checkAccountState({ at: at.id, account: absent }, { ...empty, state: honest.state })).toThrow(
      "must be empty, got a state",
    );
  });

  test("an absent shard that a pruned branch hides, that has a state, or of an account whose shard is there", () => {
    const stranger = { workchain: 5, hash: address(0xab) };
    const check = (changes: Partial<LiteAnswer<"getAccountState">>, one: AccountId = stranger) =>
      expect(() => checkAccountState({ at: at.id, account: one }, { ...accountAnswer(chain, at, stranger), ...changes }));
    check({ shardProof: writeBocRoots([mcHeader, createMerkleProof(at.state, () => undefined)]) }).toThrow(LiteError);
    check({ state: honest.state }).toThrow("must be empty, got a state");
    check({ shardProof: earlier.shardProof }).toThrow(LiteError);
    check({}, account).toThrow(LiteError);
  });

  test("a masterchain account in another block", () => {
    const own = accountAnswer(chain, at, inMaster);
    const older = accountAnswer(chain, chain.block(MASTER, 2), inMaster);
    expect(() => checkAccountState({ at: at.id, account: inMaster }, { ...own, shardblk: older.shardblk })).toThrow(LiteError);
    // Of a shard block there is no other: it has no shards.
    const question = { at: honest.shardblk, account };
    const answer = { ...honest, id: honest.shardblk, shardblk: chain.block(LEFT, 5).id };
    expect(() => checkAccountState(question, answer)).toThrow("the account's block must be");
    const stranger = { at: honest.shardblk, account: { workchain: 0, hash: address(0x90) } };
    const misplaced = { ...honest, id: honest.shardblk };
    expect(() => checkAccountState(stranger, misplaced)).toThrow("cannot hold account 0:90");
  });

  test("a balance that differs from the balance in the dictionary", () => {
    const state = zeroState(LEFT, undefined);
    const held = state.accounts.get(account.hash);
    if (!held) throw new Error("the account is missing");
    const accounts = state.accounts.set(account.hash, { ...held, balance: coinsOnly(8n) });
    const root = encodeState({ ...state, accounts });
    const id = { ...encodeZeroState({ ...state, accounts }).id };
    const proof = writeBoc(createMerkleProof(root, (cell) => void lookUpAccount(cell, account.hash)));
    const answer = { ...honest, id, shardblk: id, proof, state: writeBoc(held.account as Cell) };
    expect(() => checkAccountState({ at: id, account }, answer)).toThrow("must have a balance of 8, got 7");
  });
});

/** Stands for the block of a shard that does not exist. */
function noBlock(workchain: number): BlockId {
  return { workchain, shard: 0n, seqno: 0, rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) };
}

/** A pruned branch with the hash at level 0. */
function pruned(cell: Cell | undefined): Cell {
  const [short] = cell ? createMerkleProof(cell, () => undefined).refs : [];
  if (!short) throw new Error("a cell is missing");
  return short;
}

/** Writes another depth into the first pruned branch of a bag, and leaves out the checksum. */
function withDepth(bag: Uint8Array, depth: number): Uint8Array {
  const bytes = Buffer.from(bag.subarray(0, -4));
  bytes[4] = (bytes[4] as number) & ~0x40;
  // Type, level mask, hash, depth.
  bytes.writeUInt16BE(depth, bytes.indexOf(Buffer.of(0x28, 0x48, 1, 1)) + 4 + 32);
  return bytes;
}

function wideBag(cells: number): Uint8Array {
  const head = [0xb5, 0xee, 0x9c, 0x72, 3, 3, ...long(cells), ...long(1), ...long(0), ...long(cells * 2), ...long(0)];
  const bytes = new Uint8Array(head.length + cells * 2);
  bytes.set(head);
  return bytes;
}

const long = (value: number) => [value >> 16, (value >> 8) & 255, value & 255];
