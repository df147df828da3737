import { decodeAccount } from "@chain-query/format/accounts";
import { type Cell, createMerkleProof, writeBoc } from "@chain-query/format/cells";
import { type AccountId, type BlockId, containsAccount, namedBlock, smallestShard } from "@chain-query/format/identifiers";
import { lookUpAccount, lookUpShard, readStateShards } from "@chain-query/format/states";
import { proveInState } from "../proving/proofs.ts";
import type { LiteAnswer } from "../wire/tl/scheme.ts";
import { type Answers, type LoadedChain, refused } from "./lite-chain.ts";

const EMPTY: Uint8Array = new Uint8Array();
/** The seqno of queries as of the newest masterchain block whose shards can be read. */
const NEWEST = -1;

/** Accounts as of a masterchain block, or as of a block of their shard. */
export const accountAnswers: Answers<"getAccountState" | "getAccountStatePrunned"> = {
  getAccountState: (chain, { id, account }) => answerAccount(chain, id, account, writeBoc),
  getAccountStatePrunned: (chain, { id, account }) => answerAccount(chain, id, account, (cell) => writeBoc(proveBalance(cell))),
};

function answerAccount(
  chain: LoadedChain,
  asked: BlockId,
  account: AccountId,
  write: (account: Cell) => Uint8Array,
): LiteAnswer<"getAccountState"> {
  const id = asked.workchain === -1 && asked.seqno === NEWEST ? chain.shardHead() : asked;
  if (id.workchain !== -1 && id.workchain !== account.workchain) {
    throw refused("reference block for a getAccountState() must belong to the masterchain");
  }
  if (id.workchain === account.workchain) {
    if (!containsAccount(id, account)) {
      throw refused("requested account id is not contained in the shard of the reference block");
    }
    return { id, shardblk: id, shardProof: EMPTY, ...readInShard(chain, id, account, write) };
  }
  const { value: shard, proof: shardProof } = proveInState(chain, id, (state) =>
    lookUpShard(readStateShards(state), smallestShard(account)),
  );
  if (!shard) return { id, shardblk: noBlock(account.workchain), shardProof, proof: EMPTY, state: EMPTY };
  const shardblk = namedBlock(shard, shard.block);
  return { id, shardblk, shardProof, ...readInShard(chain, shardblk, account, write) };
}

function readInShard(chain: LoadedChain, id: BlockId, { hash }: AccountId, write: (account: Cell) => Uint8Array) {
  const { value: cell, proof } = proveInState(chain, id, (state) => lookUpAccount(state, hash)?.account);
  return { proof, state: cell ? write(cell) : EMPTY };
}

/** The account without its code and data. */
function proveBalance(account: Cell): Cell {
  return createMerkleProof(account, decodeAccount);
}

/** Stands for the block of a shard that does not exist. */
export function noBlock(workchain: number): BlockId {
  return { workchain, shard: 0n, seqno: 0, rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) };
}
