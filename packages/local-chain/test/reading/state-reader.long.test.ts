import { decodeAccount } from "@chain-query/format/accounts";
import { hex, readBoc } from "@chain-query/format/cells";
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

function existing<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("a value is missing");
  return value;
}
