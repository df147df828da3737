/** Generated from @chain-query/openapi by `pnpm generate`. Do not edit: change the contract. */
import type { OperationId } from "@chain-query/types";
import type { QueryPromise } from "../calls/query-promise.ts";
import type { CallOptions } from "../options.ts";
import type { GetAddressInformationInput, GetTransactionsStdInput, LookupBlockInput, TryLocateResultTxInput, TryLocateSourceTxInput } from "./inputs.gen.ts";

/** The methods of a client. With the results as a parameter, editors show their names. */
export interface Methods<Results extends Record<OperationId, unknown>> {
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
  readonly getAddressInformation: {
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
    (input: GetAddressInformationInput, options?: CallOptions): QueryPromise<Results["getAddressInformation"]>;
  };
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
  readonly getConsensusBlock: {
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
    (options?: CallOptions): QueryPromise<Results["getConsensusBlock"]>;
  };
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
  readonly getMasterchainInfo: {
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
    (options?: CallOptions): QueryPromise<Results["getMasterchainInfo"]>;
  };
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
  readonly getOutMsgQueueSize: {
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
    (options?: CallOptions): QueryPromise<Results["getOutMsgQueueSize"]>;
  };
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
  readonly getTransactionsStd: {
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
    (input: GetTransactionsStdInput, options?: CallOptions): QueryPromise<Results["getTransactionsStd"]>;
  };
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
  readonly lookupBlock: {
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
    (input: LookupBlockInput, options?: CallOptions): QueryPromise<Results["lookupBlock"]>;
  };
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
  readonly tryLocateResultTx: {
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
    (input: TryLocateResultTxInput, options?: CallOptions): QueryPromise<Results["tryLocateResultTx"]>;
  };
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
  readonly tryLocateSourceTx: {
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
    (input: TryLocateSourceTxInput, options?: CallOptions): QueryPromise<Results["tryLocateSourceTx"]>;
  };
}
