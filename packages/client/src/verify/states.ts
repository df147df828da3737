/** Derives accounts and queue sizes from the states of shards. */
import { isSuspended, readSuspendedList } from "@chain-query/format/accounts";
import { type Cell, openMerkleProof } from "@chain-query/format/cells";
import { type AccountId, type BlockId, namedBlock, type TransactionId } from "@chain-query/format/identifiers";
import {
  EXTERNAL_QUEUE_LIMIT,
  lookUpAccount,
  lookUpPastBlock,
  readMasterchainParts,
  readQueueSize,
  readShardTops,
  readStateShards,
} from "@chain-query/format/states";
import { ABSENT, describeAccount, newestShardBlock, readProvedAccount } from "@chain-query/proof/accounts";
import { openState, openStateHeader, type ProvedStateBlock } from "@chain-query/proof/blocks";
import { type BlockType, blockIdExt, fullAccountState } from "@chain-query/proof/values";
import type { ResultOf } from "@chain-query/types";
import { bagsOf, type Roots } from "./bags.ts";
import { ensure } from "./proof-error.ts";

/** The last transaction of an account as of the head; lt 0 if it has none. */
export function deriveLast(head: ProvedStateBlock, account: AccountId, roots: Roots): TransactionId {
  const state = openAccountState(openMerkleProof(roots.next(), head.stateRootHash), account, roots);
  const entry = state && lookUpAccount(state, account.hash);
  return entry?.last ?? ABSENT.last;
}

/** @param answered - Its code and data are kept if they have the hashes in the account's cell. */
export function deriveAccount(
  type: BlockType,
  head: ProvedStateBlock,
  { account, seqno }: { readonly account: AccountId; readonly seqno: number | undefined },
  answered: object,
  roots: Roots,
): ResultOf<"getAddressInformation"> {
  const block = seqno === undefined || seqno === head.id.seqno ? head : openAncestor(head, seqno, roots);
  const master = openMerkleProof(roots.next(), block.stateRootHash);
  const list = readSuspendedList(readMasterchainParts(master).config);
  const state = openAccountState(master, account, roots);
  const { account: found, last } = state ? readProvedAccount(state, account) : ABSENT;
  const known = { account, last, isSuspended: isSuspended(list, account, block.time), block };
  return fullAccountState(type, describeAccount(found, known, bagsOf(answered)));
}

function openAncestor(head: ProvedStateBlock, seqno: number, roots: Roots): ProvedStateBlock {
  const past = lookUpPastBlock(openMerkleProof(roots.next(), head.stateRootHash), seqno);
  ensure(past, "block", `no block ${seqno} before ${head.id.seqno}`);
  return openStateHeader(past, roots.next());
}

/** The state of the account's shard. Undefined if the chain does not have its workchain, so that the account does not exist. */
function openAccountState(master: Cell, account: AccountId, roots: Roots): Cell | undefined {
  if (account.workchain === -1) return master;
  const block = newestShardBlock(master, account);
  return block && openShardState(block, roots);
}

function openShardState(id: BlockId, roots: Roots): Cell {
  return openState(id, id.seqno === 0 ? [roots.next()] : [roots.next(), roots.next()]);
}

export function deriveQueueSizes(type: BlockType, head: ProvedStateBlock, roots: Roots): ResultOf<"getOutMsgQueueSize"> {
  const master = openMerkleProof(roots.next(), head.stateRootHash);
  const shards: { readonly id: BlockId; readonly state: Cell }[] = [{ id: head.id, state: master }];
  for (const top of readShardTops(readStateShards(master))) {
    const id = namedBlock(top, top.block);
    shards.push({ id, state: openShardState(id, roots) });
  }
  return {
    "@type": "blocks.outMsgQueueSizes",
    shards: shards.map(({ id, state }) => {
      const size = readQueueSize(state);
      ensure(size !== undefined, "unsupported", "a queue without its size");
      return { "@type": "blocks.outMsgQueueSize", id: blockIdExt(type, id), size };
    }),
    ext_msg_queue_size_limit: EXTERNAL_QUEUE_LIMIT,
  };
}
