import { decodeAccount } from "@chain-query/format/accounts";
import { type Cell, CellReader, createMerkleProof, hex, openMerkleProof, readBoc } from "@chain-query/format/cells";
import { lookUp, uint32Key } from "@chain-query/format/dictionaries";
import { type BlockId, readBlockRef } from "@chain-query/format/identifiers";
import { readAccounts, readState } from "@chain-query/format/states";
import type { BlockHeader } from "@chain-query/format/store";
import { BUSY, BUSY_STEPS } from "@chain-query/testing/chains";
import { afterAll, describe, expect, test } from "vitest";
import { openChain } from "../../src/reading/chain-reader.ts";
import { madeChain } from "../../src/testing/made-chain.ts";

const directory = await madeChain({ ...BUSY, steps: BUSY_STEPS });
const chain = openChain(directory);
const [masterchain, ...shards] = chain.shards();
const seqnos = Array.from({ length: BUSY_STEPS }, (_, i) => i + 1);
const headers = seqnos.flatMap((seqno) =>
  [...shards, existing(masterchain)].map(({ id }) => existing(chain.block(id, { seqno }))),
);

afterAll(() => chain.close());

const orders: readonly (readonly [string, (all: readonly BlockHeader[]) => readonly BlockHeader[]])[] = [
  ["rising", (all) => all],
  ["falling", (all) => all.toReversed()],
  ["scattered", (all) => all.map((_, i) => all[(i * 67) % all.length] as BlockHeader)],
];

describe("the state after a block", () => {
  test.each(orders)("has the hash that the block states, for all blocks in %s order", async (_, order) => {
    const fresh = openChain(directory);
    for (const { id, stateRootHash } of order(headers)) expect(hex(fresh.state(id)?.hashAt(0))).toBe(hex(stateRootHash));
    await fresh.close();
  });

  test("has accounts in every state, as the reader of accounts gives them", () => {
    const statuses = new Set<string>();
    const known = new Map<bigint, ReadonlySet<string>>();
    let left = 0;
    for (const { id, masterchainSeqno } of headers.filter(({ id }) => id.workchain === 0)) {
      const present = new Set<string>();
      for (const { address, account } of readAccounts(readState(existing(chain.state(id))).accounts)) {
        const { balance, status, data } = decodeAccount(account);
        const expected = existing(chain.account({ workchain: 0, hash: address }, masterchainSeqno));
        expect([balance, status]).toEqual([expected.balance, expected.status]);
        expect(hex(data?.hash)).toBe(expected.data ? hex(readBoc(expected.data).hash) : "");
        present.add(hex(address));
        statuses.add(status);
      }
      for (const address of Array.from(known.get(id.shard) ?? []).filter((each) => !present.has(each))) {
        const deleted = existing(chain.account({ workchain: 0, hash: Buffer.from(address, "hex") }, masterchainSeqno));
        expect(deleted).toMatchObject({ status: "uninitialized", balance: 0n, last: { lt: 0n, hash: new Uint8Array(32) } });
        left += 1;
      }
      known.set(id.shard, present);
    }
    expect([...statuses].sort()).toEqual(["active", "frozen", "uninitialized"]);
    expect(left).toBeGreaterThan(0);
  });

  test("has the size of its queue, which is also there where the queue itself is pruned", () => {
    const sizes = headers.map(({ id, queueSize = -1 }) => {
      expect(queueSizeOf(existing(chain.state(id)))).toBe(queueSize);
      return queueSize;
    });
    expect(sizes).toContain(0);
    expect(Math.max(...sizes)).toBeGreaterThan(10);
  });

  test("names, in the masterchain, every masterchain block before it", () => {
    const masters = headers.filter(({ id }) => id.workchain === -1);
    for (const { id } of masters) {
      const past = pastBlocks(existing(chain.state(id)));
      for (let seqno = 0; seqno < id.seqno; seqno++) {
        const entry = existing(lookUp(past, uint32Key(seqno), 32));
        // KeyMaxLt, then KeyExtBlkRef
        const maxKey = entry.bit();
        const maxLt = entry.bigUint(64);
        const isKey = entry.bit();
        const block = seqno === 0 ? { id: chain.genesis().block, endLt: 0n } : existing(masters[seqno - 1]);
        const { endLt, id: known } = block;
        expect([maxKey, isKey, maxLt]).toEqual([seqno === 0, seqno === 0, endLt]);
        expect(refText(readBlockRef(entry))).toEqual(refText({ ...known, endLt }));
      }
      expect(lookUp(past, uint32Key(id.seqno), 32)).toBeUndefined();
    }
  });

  test("proves an account, although its queue is pruned", () => {
    const { id, stateRootHash } = existing(
      headers.filter(({ id }) => id.workchain === 0).find(({ queueSize = 0 }) => queueSize > 5),
    );
    const [first] = readAccounts(readState(existing(chain.state(id))).accounts);
    const { address, account } = existing(first);
    const find = (root: Cell) => existing(lookUp(existing(new CellReader(readState(root).accounts).maybeRef()), address, 256));
    const proof = createMerkleProof(existing(chain.state(id)), (root) => void find(root));
    expect(openMerkleProof(proof, stateRootHash).hashAt(0)).toEqual(stateRootHash);
    expect(find(openMerkleProof(proof, stateRootHash)).skip(5).coins()).toBe(decodeAccount(account).balance);
  });

  test("is the zero state for seqno 0", () => {
    expect(chain.state({ ...chain.genesis().block })?.hash).toEqual(chain.genesis().block.rootHash);
  });

  test("is undefined for blocks that do not exist", () => {
    const { id } = existing(headers[0]);
    expect(chain.state({ ...id, seqno: BUSY_STEPS + 1 })).toBeUndefined();
    expect(chain.state({ ...id, seqno: -1 })).toBeUndefined();
    expect(chain.state({ ...id, shard: 1n })).toBeUndefined();
    expect(chain.state({ ...id, shard: 1n, seqno: 0 })).toBeUndefined();
  });
});

/** The size in the OutMsgQueueExtra of a state. */
function queueSizeOf(root: Cell): number {
  const info = new CellReader(root.refs[0] as Cell);
  info.maybeRef();
  info.skip(64).maybeRef();
  expect([info.bit(), info.uint(4), info.bit()]).toEqual([true, 0, false]);
  expect(info.skip(64).bit()).toBe(true);
  return info.uint(48);
}

/** The root of the dictionary of past blocks of a masterchain state: McStateExtra, then its history. */
function pastBlocks(root: Cell): Cell {
  const extra = new CellReader(root.refs[3] as Cell).skip(16);
  extra.maybeRef();
  extra.skip(256).ref();
  return existing(new CellReader(extra.ref()).skip(16 + 32 + 32 + 1).maybeRef());
}

function refText({
  seqno,
  endLt,
  rootHash,
  fileHash,
}: Omit<BlockId, "workchain" | "shard"> & { readonly endLt: bigint }): string {
  return `${seqno} ${endLt} ${hex(rootHash)} ${hex(fileHash)}`;
}

function existing<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("a value is missing");
  return value;
}
