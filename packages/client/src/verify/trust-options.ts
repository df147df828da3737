import type { ChainClient } from "../client.ts";
import type { CallOptions } from "../options.ts";

/**
 * The identity of a network, from a source that you trust: its documentation or your own node.
 *
 * @example
 * ```ts
 * const network: Network = { name: "local", globalId: 1001, zeroState: { rootHash, fileHash } };
 * ```
 */
export interface Network {
  /** The name in the `@type` of block ids: `local` of `local.blockIdExt`. */
  readonly name: string;
  /** The `global_id` in its blocks. */
  readonly globalId: number;
  /** The hashes of the masterchain's zero state in base64: the `init` of `getMasterchainInfo`. */
  readonly zeroState: { readonly rootHash: string; readonly fileHash: string };
}

/**
 * A key block, whose configuration names validators. It is plain JSON, so that you can store it.
 *
 * @example
 * ```ts
 * const keyBlock: KeyBlock = { seqno: 95424597, rootHash, fileHash, time: 1779000000 }; // in the build of the app
 * ```
 */
export interface KeyBlock {
  /** 0 for the zero state. */
  readonly seqno: number;
  /** In base64. */
  readonly rootHash: string;
  /** In base64. */
  readonly fileHash: string;
  /** When the block was made, in Unix seconds. */
  readonly time: number;
  /** Number of hard forks before it; absent if it is not known. */
  readonly verticalSeqno?: number;
}

/**
 * Options of a trust store.
 *
 * @example
 * ```ts
 * const options: TrustOptions = { network, keyBlock, save: (keyBlock) => localStorage.setItem("key", JSON.stringify(keyBlock)) };
 * ```
 */
export interface TrustOptions {
  readonly network: Network;
  /** The newest key block that you trust. */
  readonly keyBlock: KeyBlock;
  /**
   * Stores a newer key block, from which the app begins next time. Awaited: its error rejects the call that moved the trust, which has moved.
   */
  readonly save?: ((keyBlock: KeyBlock) => void | Promise<void>) | undefined;
  /**
   * Age of the key block above which nothing is believed, in seconds or as `30d`. 30 days by default: former validators, whose keys may be
   * stolen, can sign another chain from an old key block.
   */
  readonly maxTrustAge?: number | `${number}d` | undefined;
  /** Age of the head above which no answer is believed, in seconds. 60 by default. */
  readonly maxHeadAge?: number | undefined;
  /** The clock, in milliseconds. `Date.now` by default. */
  readonly now?: (() => number) | undefined;
}

/**
 * A masterchain block that validators signed.
 *
 * @example
 * ```ts
 * const text = ({ seqno, time }: VerifiedHead) => `verified as of block ${seqno}, ${Math.round(Date.now() / 1000 - time)} s ago`;
 * ```
 */
export interface VerifiedHead {
  readonly seqno: number;
  /** Unix seconds. */
  readonly time: number;
}

/**
 * Keeps the trust of an app in one network. Several verifying clients may share it.
 *
 * @example
 * ```ts
 * const trust = trustStore({ network, keyBlock, save });
 * await trust.advance(client);
 * ```
 */
export interface TrustStore {
  /** The newest key block so far. */
  readonly keyBlock: KeyBlock;
  /** The newest head so far. */
  readonly head: VerifiedHead | undefined;
  /**
   * Moves the trust forward, from key block to key block, to the head of the deployment: at most 16 links a request. `save` receives each
   * key block. Clients do it by themselves when they need it; call it first to show progress.
   *
   * @throws ProofError if a link is wrong; the errors of `client`.
   */
  advance(client: ChainClient, options?: CallOptions): Promise<void>;
}
