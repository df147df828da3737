/** The port through which the results of a `ChainReader` are proved to a client that trusts a key block. */
import type { Awaitable } from "../async.ts";
import type { Cell } from "../cells/cell.ts";
import type { AccountId, BlockId, BlockSelector, ShardId, TransactionId } from "../identifiers.ts";

/** A masterchain block with the signatures of its validators. */
export interface SignedHeader {
  readonly block: BlockId;
  /** Merkle proof of the block: its info, and the hash of the state after it. */
  readonly header: Cell;
  /** Bitmap over the validators in the order of their group, most significant bit first. */
  readonly signers: Uint8Array;
  /** 64 bytes for each signer: of more than two thirds of the weight, and no more than needed. */
  readonly signatures: Uint8Array;
  /** Of the Simplex form: the vote that is signed. Absent in the ordinary form, which signs the block's id. */
  readonly vote?: { readonly sessionId: Uint8Array; readonly slot: number; readonly candidate: Uint8Array };
}

/** A step from a key block, or the zero state, to a later block that its validators sign. */
export interface KeyLink {
  /** Merkle proof of the key block or of the zero state: the parameters that select its validators. */
  readonly config: Cell;
  readonly head: SignedHeader;
}

/** How an account is proved. */
export interface AccountProofOptions {
  /** Of the masterchain block of the state; default: the head. */
  readonly seqno?: number | undefined;
  /** Whether the proof has the account's contents, without code and data, and whether the configuration suspends it. */
  readonly hasState: boolean;
}

/** A transaction in its block. */
export interface TransactionPlace {
  readonly account: AccountId;
  readonly lt: bigint;
}

/**
 * Proves parts of a chain as of a masterchain block `head`, whose signed header the client has. The cells are Merkle proofs, in the order
 * that D-53 of the contract gives for each operation. Errors are those of the chain's reader.
 *
 * @example
 * ```ts
 * const proofs: AnswerProofs | undefined = chainProofs(openChain("my-chain")); // of @chain-query/lite/answers
 * const { header, signatures } = await proofs.head(head, signal);
 * ```
 */
export interface AnswerProofs {
  head(head: BlockId, signal: AbortSignal): Awaitable<SignedHeader>;
  /**
   * Links from the key block with this number, or from the zero state, each to the next key block, the last one to the head. Ends early
   * after 16. Undefined if it is not a key block before the head.
   */
  links(key: number, head: BlockId, signal: AbortSignal): Awaitable<readonly KeyLink[] | undefined>;
  /** The masterchain block of a number up to the head. */
  masterchainBlock(seqno: number, head: BlockId, signal: AbortSignal): Awaitable<BlockId>;
  /** An account, with its last transaction; lt 0 if it does not exist. */
  account(
    account: AccountId,
    options: AccountProofOptions,
    head: BlockId,
    signal: AbortSignal,
  ): Awaitable<{ readonly cells: readonly Cell[]; readonly last: TransactionId }>;
  /** The block that `ChainReader.block` finds. */
  block(shard: ShardId, selector: BlockSelector, head: BlockId, signal: AbortSignal): Awaitable<readonly Cell[]>;
  /** A transaction, without its cells. */
  transaction(place: TransactionPlace, head: BlockId, signal: AbortSignal): Awaitable<readonly Cell[]>;
  /** The sizes of the queues of these shards, the masterchain first. */
  queues(shards: readonly ShardId[], head: BlockId, signal: AbortSignal): Awaitable<readonly Cell[]>;
}
