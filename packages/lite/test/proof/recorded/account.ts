import { type Cell, hex, readBocRoots } from "@chain-query/format/cells";
import { type AccountId, type BlockId, smallestShard, WHOLE_WORKCHAIN } from "@chain-query/format/identifiers";
import { lookUpShard, readStateShards } from "@chain-query/format/states";
import { expect } from "vitest";
import { checkAccountState } from "../../../src/proof/account.ts";
import { LiteError } from "../../../src/wire/lite-error.ts";
import type { LiteAnswer } from "../../../src/wire/tl/scheme.ts";

const MASTER = { workchain: -1, shard: WHOLE_WORKCHAIN };

/** The answer of a mainnet server about an account of the basechain; the file hashes are from its proof. */
export function recordedAccount(text: string): {
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

/** Flips bits of a recorded answer, one at a time: it must be refused, or read the same. */
export function flipBits(text: string, times: number): void {
  const { asked, answer } = recordedAccount(text);
  const truth = summary(checkAccountState(asked, answer));
  let refused = 0;
  for (let i = 0; i < times; i++) {
    const name = (["shardProof", "proof", "state"] as const)[i % 3] as "proof";
    const changed = Uint8Array.from(answer[name]);
    const bit = Math.floor((changed.length * 8 * i) / times);
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (0x80 >> (bit & 7));
    try {
      expect(summary(checkAccountState(asked, { ...answer, [name]: changed })), `bit ${bit} of ${name}`).toEqual(truth);
    } catch (error) {
      if (!(error instanceof LiteError && error.kind === "proof")) throw error;
      refused += 1;
    }
  }
  expect(refused).toBeGreaterThan(0.95 * times);
}

/** The whole result for a caller. */
function summary({ account, cell, last }: ReturnType<typeof checkAccountState>) {
  const data = { status: account?.status, balance: account?.balance, hash: cell && hex(cell.hash) };
  const code = account?.code && hex(account.code.hash);
  return { ...data, code, last: { lt: last.lt, hash: hex(last.hash) } };
}
