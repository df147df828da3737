import { type Cell, readBocRoots } from "@chain-query/format/cells";
import { type AccountId, type BlockId, smallestShard, WHOLE_WORKCHAIN } from "@chain-query/format/identifiers";
import { lookUpShard, readStateShards } from "@chain-query/format/states";
import type { LiteAnswer } from "@chain-query/lite-protocol/tl";

const MASTER = { workchain: -1, shard: WHOLE_WORKCHAIN };

/** The answer of a mainnet server about an account of the basechain; the file hashes are what its proof shows. */
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
