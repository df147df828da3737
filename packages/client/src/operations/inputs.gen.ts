/** Generated from @chain-query/openapi by `pnpm generate`. Do not edit: change the contract. */
import type { Int64 } from "./int64.ts";

/**
 * Input of `getAddressInformation`.
 *
 * @example
 * ```ts
 * const result = await chain.getAddressInformation({
 *   address: "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi",
 * });
 * ```
 * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
 */
export interface GetAddressInformationInput {
  /**
   * Address of the account, in user-friendly or raw form.
   *
   * @example "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi"
   * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
   */
  address: string;
  /**
   * Sequence number of the block as of which the state is read; the head if it is left out.
   *
   * An integer from 1 to 4294967295.
   *
   * @example "13"
   * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
   */
  seqno?: Int64 | undefined;
}

/**
 * Input of `getTransactionsStd`. `lt` and `hash` are given together or not at all.
 *
 * @example
 * ```ts
 * const result = await chain.getTransactionsStd({
 *   address: "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi",
 *   limit: 2,
 *   lt: "1555000001",
 *   hash: "pj1g6I7IDFnNGP059rOCFkgXw7wMaVQ/CODGnNb0oeU=",
 * });
 * ```
 * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
 */
export type GetTransactionsStdInput = {
  /**
   * Address of the account, in raw or user-friendly form.
   *
   * @example "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi"
   * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
   */
  address: string;
  /**
   * Number of transactions to return at most.
   *
   * An integer from 1 to 1000.
   *
   * @example 2
   * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
   */
  limit?: Int64 | undefined;
  /**
   * Logical time to stop at, a decimal string; transactions with this lt or a lower one are left out. 0 bounds nothing.
   *
   * An integer from 0 to 9223372036854775807.
   *
   * @example "1555000001"
   * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
   */
  toLt?: Int64 | undefined;
  /**
   * Whether to ask nodes that keep the whole history, for transactions older than about two days; such requests may be slower.
   *
   * @example false
   * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
   */
  archival?: boolean | undefined;
} & (
  | {
      /**
       * Logical time of the transaction to start from, a decimal string, given together with hash. The lt of last_transaction_id starts at the most recent one; the lt of previous_transaction_id starts the next page.
       *
       * An integer from 0 to 9223372036854775807.
       *
       * @example "1555000001"
       * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
       */
      lt: Int64;
      /**
       * Hash of the transaction to start from, given together with lt, as hexadecimal (64 characters) or base64 (44 characters).
       *
       * @example "pj1g6I7IDFnNGP059rOCFkgXw7wMaVQ/CODGnNb0oeU="
       * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
       */
      hash: string;
    }
  | {
      lt?: undefined;
      hash?: undefined;
    }
);

/**
 * Input of `lookupBlock`. Exactly one of `seqno`, `lt` and `unixtime` is required.
 *
 * @example
 * ```ts
 * const result = await chain.lookupBlock({
 *   workchain: -1,
 *   shard: "-9223372036854775808",
 *   seqno: 840,
 * });
 * ```
 * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
 */
export type LookupBlockInput = {
  /**
   * Workchain number, as an integer or a decimal string. The masterchain is -1 and the basechain is 0.
   *
   * An integer from -2147483648 to 2147483647.
   *
   * @example -1
   * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
   */
  workchain: Int64;
  /**
   * Shard identifier, a signed 64-bit integer, as a decimal string or an integer; a string loses no digits. The hexadecimal form of a shard, such as 8000000000000000, is refused.
   *
   * A 64-bit integer, signed or unsigned.
   *
   * @example "-9223372036854775808"
   * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
   */
  shard: Int64;
} & (
  | {
      /**
       * Sequence number of the block, a positive integer, as an integer or a decimal string.
       *
       * An integer from 1 to 4294967295.
       * Exactly one of `seqno`, `lt` and `unixtime` is required.
       *
       * @example 840
       * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
       */
      seqno: Int64;
      lt?: undefined;
      unixtime?: undefined;
    }
  | {
      seqno?: undefined;
      /**
       * Logical time to find the block by, as a decimal string or an integer; a string loses no digits.
       *
       * An integer from 0 to 9223372036854775807.
       * Exactly one of `seqno`, `lt` and `unixtime` is required.
       *
       * @example "433000001"
       * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
       */
      lt: Int64;
      unixtime?: undefined;
    }
  | {
      seqno?: undefined;
      lt?: undefined;
      /**
       * Time in whole seconds since 1970-01-01T00:00:00Z, as an integer or a decimal string.
       *
       * An integer from 0 to 4294967295.
       * Exactly one of `seqno`, `lt` and `unixtime` is required.
       *
       * @example 1767251637
       * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
       */
      unixtime: Int64;
    }
);

/**
 * Input of `tryLocateResultTx`.
 *
 * @example
 * ```ts
 * const result = await chain.tryLocateResultTx({
 *   source: "0:46ad41228bf0273f98591e88aea5cfde3d616762109b062122355abaf808e57e",
 *   destination: "EQCzs-U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd-Yz",
 *   createdLt: "433000002",
 * });
 * ```
 * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
 */
export interface TryLocateResultTxInput {
  /**
   * Address of the sender, in raw or user-friendly form.
   *
   * @example "0:46ad41228bf0273f98591e88aea5cfde3d616762109b062122355abaf808e57e"
   * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
   */
  source: string;
  /**
   * Address of the recipient, in raw or user-friendly form.
   *
   * @example "EQCzs-U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd-Yz"
   * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
   */
  destination: string;
  /**
   * Logical time at which the message was created, a decimal string; it is the created_lt of a message object.
   *
   * An integer from 0 to 9223372036854775807.
   *
   * @example "433000002"
   * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
   */
  createdLt: Int64;
}

/**
 * Input of `tryLocateSourceTx`.
 *
 * @example
 * ```ts
 * const result = await chain.tryLocateSourceTx({
 *   source: "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi",
 *   destination: "EQCzs-U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd-Yz",
 *   createdLt: "433000002",
 * });
 * ```
 * @see https://chain-query.github.io/chain-query/reference/tryLocateSourceTx/
 */
export interface TryLocateSourceTxInput {
  /**
   * Address of the sender, in raw or user-friendly form; empty for an external message.
   *
   * @example "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi"
   * @see https://chain-query.github.io/chain-query/reference/tryLocateSourceTx/
   */
  source: string;
  /**
   * Address of the recipient, in raw or user-friendly form.
   *
   * @example "EQCzs-U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd-Yz"
   * @see https://chain-query.github.io/chain-query/reference/tryLocateSourceTx/
   */
  destination: string;
  /**
   * Logical time at which the message was created, a decimal string.
   *
   * An integer from 0 to 9223372036854775807.
   *
   * @example "433000002"
   * @see https://chain-query.github.io/chain-query/reference/tryLocateSourceTx/
   */
  createdLt: Int64;
}

/**
 * The input of each operation. A mapped type over this interface keeps the comments, so that editors show them.
 *
 * @example
 * ```ts
 * type Callers = { [Id in keyof Inputs]: (input: Inputs[Id]) => void };
 * ```
 */
export interface Inputs {
  /**
   * Read the state of an account.
   *
   * Reads balance, code, data and state of an account, as of the head or of an earlier masterchain block. An account that was never seen is uninitialized with balance "0".
   *
   * @example
   * ```ts
   * const result = await chain.getAddressInformation({
   *   address: "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi",
   * });
   * ```
   * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
   */
  readonly getAddressInformation: GetAddressInformationInput;
  /**
   * Read the latest consensus block.
   *
   * Reads the latest masterchain block that enough nodes of the deployment hold for every one of them to respond from it.
   *
   * @example
   * ```ts
   * const result = await chain.getConsensusBlock();
   * ```
   * @see https://chain-query.github.io/chain-query/reference/getConsensusBlock/
   */
  readonly getConsensusBlock: Record<string, never>;
  /**
   * Read the head of the masterchain.
   *
   * Reads the latest masterchain block, the hash of the state after it, and the zero state from which the chain began.
   *
   * @example
   * ```ts
   * const result = await chain.getMasterchainInfo();
   * ```
   * @see https://chain-query.github.io/chain-query/reference/getMasterchainInfo/
   */
  readonly getMasterchainInfo: Record<string, never>;
  /**
   * Read the sizes of the outbound message queues.
   *
   * Reads how many messages wait in the outbound queue of each shard, the masterchain first.
   *
   * @example
   * ```ts
   * const result = await chain.getOutMsgQueueSize();
   * ```
   * @see https://chain-query.github.io/chain-query/reference/getOutMsgQueueSize/
   */
  readonly getOutMsgQueueSize: Record<string, never>;
  /**
   * List the transactions of an account.
   *
   * Lists transactions of an account, newest first, from the transaction given by lt and hash, or the latest. The next page starts at previous_transaction_id; a page shorter than the limit does not end the history.
   *
   * @example
   * ```ts
   * const result = await chain.getTransactionsStd({
   *   address: "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi",
   *   limit: 2,
   *   lt: "1555000001",
   *   hash: "pj1g6I7IDFnNGP059rOCFkgXw7wMaVQ/CODGnNb0oeU=",
   * });
   * ```
   * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
   */
  readonly getTransactionsStd: GetTransactionsStdInput;
  /**
   * Look up a block.
   *
   * Finds the identifier of a block by workchain and shard and exactly one of seqno, lt and unixtime. A seqno finds the block with that number, an lt the first block whose last lt is at or above it, a unixtime the first block at or after it. A block past the head is not found. The shard of the response may differ from the one asked for, after a split or a merge.
   *
   * @example
   * ```ts
   * const result = await chain.lookupBlock({
   *   workchain: -1,
   *   shard: "-9223372036854775808",
   *   seqno: 840,
   * });
   * ```
   * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
   */
  readonly lookupBlock: LookupBlockInput;
  /**
   * Find the transaction that received a message.
   *
   * Finds the transaction of the destination account that received a message.
   *
   * @example
   * ```ts
   * const result = await chain.tryLocateResultTx({
   *   source: "0:46ad41228bf0273f98591e88aea5cfde3d616762109b062122355abaf808e57e",
   *   destination: "EQCzs-U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd-Yz",
   *   createdLt: "433000002",
   * });
   * ```
   * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
   */
  readonly tryLocateResultTx: TryLocateResultTxInput;
  /**
   * Find the transaction that sent a message.
   *
   * Finds the transaction of the source account that sent a message. A message from outside the chain has no such transaction.
   *
   * @example
   * ```ts
   * const result = await chain.tryLocateSourceTx({
   *   source: "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi",
   *   destination: "EQCzs-U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd-Yz",
   *   createdLt: "433000002",
   * });
   * ```
   * @see https://chain-query.github.io/chain-query/reference/tryLocateSourceTx/
   */
  readonly tryLocateSourceTx: TryLocateSourceTxInput;
}
