/** The proofs of a live network. */
import { isSameBlock } from "@chain-query/format/identifiers";
import type { AnswerProofs, BlockId, SignedHeader } from "@chain-query/format/store";
import { type LiteReaderOptions, readLite } from "./chain-reader.ts";
import {
  readAccountProof,
  readBlockProof,
  readKeyLinks,
  readMasterchainBlock,
  readQueueProof,
  readSignedHead,
  readTransactionProof,
} from "./read/proved-parts.ts";
import type { ReadContext } from "./read/read-context.ts";

/**
 * Proves the results of `liteChainReader` with the proofs of the lite servers. The signatures of a head are read and verified once.
 *
 * @example
 * ```ts
 * const proofs = liteProofs({ network });
 * const { signatures } = await proofs.head(block, signal);
 * ```
 */
export function liteProofs({ network, costOf }: Omit<LiteReaderOptions, "retention">): AnswerProofs {
  let last: { readonly block: BlockId; readonly signed: SignedHeader } | undefined;
  const read = <Result>(at: BlockId, run: (context: ReadContext) => Promise<Result>, signal: AbortSignal): Promise<Result> =>
    readLite(network, { at, costOf }, (options) => network.client.prove(run, options), signal);
  const { zeroState } = network.client;
  return {
    async head(head, signal) {
      if (last && isSameBlock(last.block, head)) return last.signed;
      const signed = await read(head, (context) => readSignedHead(context, zeroState), signal);
      last = { block: head, signed };
      return signed;
    },
    links: (key, head, signal) => read(head, (context) => readKeyLinks(context, key, zeroState), signal),
    masterchainBlock: (seqno, head, signal) => read(head, (context) => readMasterchainBlock(context, seqno, zeroState), signal),
    account: (account, options, head, signal) => read(head, (context) => readAccountProof(context, account, options), signal),
    block: (shard, selector, head, signal) => read(head, (context) => readBlockProof(context, shard, selector), signal),
    transaction: (place, head, signal) => read(head, (context) => readTransactionProof(context, place), signal),
    queues: (shards, head, signal) => read(head, (context) => readQueueProof(context, shards), signal),
  };
}
