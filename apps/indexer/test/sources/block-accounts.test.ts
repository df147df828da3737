import { buildShardAccount, decodeAccount, NO_ACCOUNT } from "@chain-query/format/accounts";
import { type Cell, CellBuilder, createMerkleProof, openMerkleProof } from "@chain-query/format/cells";
import { lookUpAccount, readAccounts, readState, type StateAccount } from "@chain-query/format/states";
import type { AccountId, StepTransaction } from "@chain-query/format/store";
import { createChain, openChain } from "@chain-query/local-chain";
import { sharedFolder } from "@chain-query/testing/folders";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type BlockAccounts, blockAccounts } from "../../src/sources/lite-step.ts";

let state: Cell;
/** Accounts with the same code. */
let first: StateAccount;
let second: StateAccount;
let inBlocks: BlockAccounts;

const folder = sharedFolder();
beforeAll(async () => {
  await createChain(folder, { seed: 5, accounts: 10, shards: 1 });
  const chain = openChain(folder);
  state = chain.state({ workchain: 0, shard: -(2n ** 63n), seqno: 0 }) ?? expect.fail();
  await chain.close();
  const codeOf = ({ account }: StateAccount) => decodeAccount(account).code?.hash.join();
  const sameCode = Map.groupBy(readAccounts(readState(state).accounts), codeOf);
  sameCode.delete(undefined);
  const [accounts] = [...sameCode.values()].filter(({ length }) => length > 1);
  [first, second] = [accounts?.[0] ?? expect.fail(), accounts?.[1] ?? expect.fail()];
});
beforeEach(() => {
  inBlocks = blockAccounts();
});

/** The cells of the state that `read` visits or keeps. */
function partOf(read: (root: Cell, keep: (subtree: Cell) => void) => void): Cell {
  return openMerkleProof(createMerkleProof(state, read), state.hash);
}

/** A state without the codes of accounts. */
function withoutCode(...accounts: readonly StateAccount[]): Cell {
  return partOf((root, keep) => {
    for (const { address } of accounts) {
      const found = lookUpAccount(root, address)?.account;
      const data = found && decodeAccount(found).data;
      if (data) keep(data);
    }
  });
}

function lastOf(address: Uint8Array, newStateHash: Uint8Array = new Uint8Array(32)): StepTransaction {
  const cell = new CellBuilder().uint(0b0111, 4).bytes(address).bigUint(61n, 64).bytes(new Uint8Array(32)).bigUint(0n, 64);
  const messages = new CellBuilder().uint(0, 2).cell();
  const update = new CellBuilder().uint(0x72, 8).bytes(new Uint8Array(32)).bytes(newStateHash).cell();
  cell
    .uint(0, 32 + 15 + 4)
    .ref(messages)
    .coins(0n)
    .bit(false)
    .ref(update)
    .ref(messages);
  return { account: { workchain: 0, hash: address }, cell: cell.cell() };
}

function countOf(cell: Cell): number {
  const hashes = new Set<string>();
  const add = (one: Cell): void => {
    hashes.add(one.hash.join());
    one.refs.forEach(add);
  };
  add(cell);
  return hashes.size;
}

const idOf = ({ address }: StateAccount): AccountId => ({ workchain: 0, hash: address });
const hashOf = ({ account, last }: StateAccount) => buildShardAccount(account, last).hash;

describe("blockAccounts().find", () => {
  test("returns an account whose cells are all new", () => {
    const whole = partOf((root, keep) => keep(lookUpAccount(root, first.address)?.account ?? expect.fail()));
    expect(inBlocks.find(whole, lastOf(first.address))?.hash).toEqual(hashOf(first));
    // `find` has cached its code.
    expect(inBlocks.find(withoutCode(second), lastOf(second.address))?.hash).toEqual(hashOf(second));
  });

  test("returns an account without its code if the code is cached", () => {
    const part = withoutCode(first, second);
    expect(inBlocks.find(part, lastOf(first.address))).toBeUndefined();
    inBlocks.remember(idOf(first), first.account);
    for (const account of [first, second]) expect(inBlocks.find(part, lastOf(account.address))?.hash).toEqual(hashOf(account));
  });

  test("returns undefined if the data are missing", () => {
    inBlocks.remember(idOf(first), first.account);
    const part = partOf((root) => void lookUpAccount(root, second.address));
    expect(inBlocks.find(part, lastOf(second.address))).toBeUndefined();
  });

  test("returns a changed account with unchanged cells of its cached state", () => {
    inBlocks.remember(idOf(first), first.account);
    // A state without the code and the data of the account. Two changes in a row: the second finds what the first has cached.
    const part = partOf((root) => void lookUpAccount(root, first.address));
    for (let change = 1; change <= 2; change++) {
      expect(inBlocks.find(part, lastOf(first.address))?.hash).toEqual(hashOf(first));
    }
  });

  test("forgets the accounts that have not changed for longest", () => {
    const part = partOf((root) => {
      for (const { address } of [first, second]) lookUpAccount(root, address);
    });
    const few = blockAccounts(countOf(first.account) + countOf(second.account) - 1);
    few.remember(idOf(first), first.account);
    few.remember(idOf(second), second.account);
    expect(few.find(part, lastOf(first.address))).toBeUndefined();
    expect(few.find(part, lastOf(second.address))?.hash).toEqual(hashOf(second));
  });

  test("returns a deleted account with its last transaction", () => {
    const gone = lastOf(new Uint8Array(32).fill(0xab));
    const part = partOf((root) => void lookUpAccount(root, gone.account.hash));
    const expected = buildShardAccount(NO_ACCOUNT, { hash: gone.cell.hash, lt: 61n });
    expect(inBlocks.find(part, gone)?.hash).toEqual(expected.hash);
  });

  test("returns a deleted account without a look into the state if its last transaction says so", () => {
    const gone = lastOf(new Uint8Array(32).fill(0xab), NO_ACCOUNT.hash);
    const expected = buildShardAccount(NO_ACCOUNT, { hash: gone.cell.hash, lt: 61n });
    const nothing = partOf((root) => void readState(root));
    expect(inBlocks.find(nothing, gone)?.hash).toEqual(expected.hash);
    expect(inBlocks.find(nothing, lastOf(gone.account.hash))).toBeUndefined();
  });
});
