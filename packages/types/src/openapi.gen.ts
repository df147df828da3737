/** Generated from @chain-query/openapi by `pnpm generate`. Do not edit: change the contract. */

/**
 * The account to read, and optionally the block as of which to read it.
 *
 * @example
 * ```ts
 * {
 *   address: "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi",
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
 */
export type GetAddressInformationRequest = {
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
     * @example "13"
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    seqno?: string;
};
/**
 * Why the request failed, for programs. New values may come at any time: treat an unknown one by its status. invalid_input is a request that breaks the contract; unknown_path, wrong_method, unsupported_media and too_large are requests that no operation takes; unknown_key and wrong_network are keys that are not accepted; rate_limited means too many requests. message_unknown means that no such message, or no such transaction of it, exists; message_pending, that the message waits in a queue or may still be sent; transaction_unknown, that the account has no such transaction; block_unknown, that there is no such block; block_pending, that the block is past the head; behind, that the head of this node is below the one that the request needs. history_pruned means that the node no longer has such old history; unavailable, that no node or no capacity is available now; timeout, that something took too long; internal, that the service has a fault.
 *
 * @example "unknown_key"
 * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
 */
export type FailureReason = "invalid_input" | "unknown_path" | "wrong_method" | "unsupported_media" | "too_large" | "unknown_key" | "wrong_network" | "rate_limited" | "message_unknown" | "message_pending" | "transaction_unknown" | "block_unknown" | "block_pending" | "behind" | "history_pruned" | "unavailable" | "timeout" | "internal" | (string & {});
/**
 * Envelope of every request that did not succeed.
 *
 * @example
 * ```ts
 * {
 *   ok: false,
 *   error: "API key does not exist",
 *   code: 401,
 *   reason: "unknown_key",
 *   "@extra": "1767326417:0:0.000",
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
 */
export type Failure = {
    /**
     * Always false in this envelope.
     *
     * @example false
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    ok: false;
    /**
     * What went wrong, as a message for people.
     *
     * @example "API key does not exist"
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    error: string;
    /**
     * Number of the failure, equal to the HTTP status code.
     *
     * @example 401
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    code: number;
    /**
     * Why the request failed, for programs. New values may come at any time: treat an unknown one by its status. invalid_input is a request that breaks the contract; unknown_path, wrong_method, unsupported_media and too_large are requests that no operation takes; unknown_key and wrong_network are keys that are not accepted; rate_limited means too many requests. message_unknown means that no such message, or no such transaction of it, exists; message_pending, that the message waits in a queue or may still be sent; transaction_unknown, that the account has no such transaction; block_unknown, that there is no such block; block_pending, that the block is past the head; behind, that the head of this node is below the one that the request needs. history_pruned means that the node no longer has such old history; unavailable, that no node or no capacity is available now; timeout, that something took too long; internal, that the service has a fault.
     *
     * @example "unknown_key"
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    reason?: FailureReason;
    /**
     * The member of the request that is wrong, the first one of several. Absent if the failure is not about one member.
     *
     * @example "address"
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    input?: string;
    /**
     * Identifier of the request. The service repeats the one that the caller passed in, or makes one of the text `<unix seconds>:<node>:<seconds taken>`.
     *
     * @example "1767326417:0:0.000"
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    "@extra"?: string;
};
/**
 * An amount of a currency other than the chain's own.
 *
 * @example
 * ```ts
 * {
 *   "@type": "extraCurrency",
 *   id: 100,
 *   amount: "2500",
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
 */
export type ExtraCurrency = {
    /**
     * Type of the object.
     *
     * @example "extraCurrency"
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    "@type": "extraCurrency";
    /**
     * Number of the currency, a signed 32-bit integer.
     *
     * @example 100
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    id: number;
    /**
     * Amount in the smallest unit of the currency, a non-negative integer as a decimal string.
     *
     * @example "2500"
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    amount: string;
};
/**
 * Identifier of a transaction within the history of its account.
 *
 * @example
 * ```ts
 * {
 *   "@type": "internal.transactionId",
 *   lt: "1555000001",
 *   hash: "pj1g6I7IDFnNGP059rOCFkgXw7wMaVQ/CODGnNb0oeU=",
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
 */
export type TransactionId = {
    /**
     * Type of the object.
     *
     * @example "internal.transactionId"
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    "@type": "internal.transactionId";
    /**
     * Logical time, a counter that orders all events of the chain; a higher value is more recent. An unsigned integer below 2^63 as a decimal string, because it does not fit a JSON number.
     *
     * @example "1555000001"
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    lt: string;
    /**
     * Hash of the transaction's root cell, as standard base64 (44 characters).
     *
     * @example "pj1g6I7IDFnNGP059rOCFkgXw7wMaVQ/CODGnNb0oeU="
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    hash: string;
};
/**
 * Identifier of a block, complete enough to prove its content.
 *
 * @example
 * ```ts
 * {
 *   "@type": "chain.blockIdExt",
 *   workchain: -1,
 *   shard: "-9223372036854775808",
 *   seqno: 840,
 *   root_hash: "rTmZTi/eMhTVFsgwjvtTZQQ/h1wI4PVexC8CBDXmmiY=",
 *   file_hash: "EEjDiuTPTX2QLpZjdKhkL3wR9eJY4HyoOCTlWfnpMew=",
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
 */
export type BlockId = {
    /**
     * Type of the object, which is the network's own word, a dot and `blockIdExt`.
     *
     * @example "chain.blockIdExt"
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    "@type": `${string}.blockIdExt`;
    /**
     * Workchain number. The masterchain is -1 and the basechain is 0.
     *
     * @example -1
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    workchain: number;
    /**
     * Shard identifier, a signed 64-bit integer as a decimal string, because it does not fit a JSON number. The masterchain has the single shard -9223372036854775808.
     *
     * @example "-9223372036854775808"
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    shard: string;
    /**
     * Sequence number of a block, also called its height, an unsigned 32-bit integer. The zero state has 0.
     *
     * @example 840
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    seqno: number;
    /**
     * Hash of the block's root cell, as standard base64 (44 characters).
     *
     * @example "rTmZTi/eMhTVFsgwjvtTZQQ/h1wI4PVexC8CBDXmmiY="
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    root_hash: string;
    /**
     * Hash of the block's serialised bytes, as standard base64 (44 characters).
     *
     * @example "EEjDiuTPTX2QLpZjdKhkL3wR9eJY4HyoOCTlWfnpMew="
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    file_hash: string;
};
/**
 * State of the account. The values known are `uninitialized` (no code; it may hold a balance), `active` (it has code) and `frozen` (its code and data were replaced by their hash); a client accepts others too.
 *
 * @example "active"
 * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
 */
export type AccountState = "uninitialized" | "active" | "frozen" | (string & {});
/**
 * State of an account as of a masterchain block.
 *
 * @example
 * ```ts
 * {
 *   "@type": "raw.fullAccountState",
 *   balance: "7491880250",
 *   extra_currencies: […],
 *   last_transaction_id: {…},
 *   block_id: {…},
 *   code: "te6cckEBAQEAWwAAsv8AIN2k8tAggwjXGCD5AQHTH9Mf0x/tRNDTH9Mf1wv/ISW68u…",
 *   data: "te6cckEBAQEAKgAAUAAAAAoAAAACj2CZmjX9X9SnRPhwx+ZSjcVYbZ6tdPxulvkd8B…",
 *   frozen_hash: "",
 *   sync_utime: 1767326400,
 *   state: "active",
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
 */
export type FullAccountState = {
    /**
     * Type of the object.
     *
     * @example "raw.fullAccountState"
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    "@type": "raw.fullAccountState";
    /**
     * Balance of the account in the smallest unit, "0" for one never seen.
     *
     * @example "7491880250"
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    balance: string;
    /**
     * Balances in other currencies.
     *
     * @example […]
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    extra_currencies: ExtraCurrency[];
    /**
     * Latest transaction of the account, from which a listing can start; lt "0" and a hash of 32 zero bytes if there is no transaction.
     *
     * @example
     * ```ts
     * {
     *   "@type": "internal.transactionId",
     *   lt: "1555000001",
     *   hash: "pj1g6I7IDFnNGP059rOCFkgXw7wMaVQ/CODGnNb0oeU=",
     * }
     * ```
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    last_transaction_id: TransactionId;
    /**
     * Masterchain block as of which the state was read.
     *
     * @example
     * ```ts
     * {
     *   "@type": "chain.blockIdExt",
     *   workchain: -1,
     *   shard: "-9223372036854775808",
     *   seqno: 840,
     *   root_hash: "rTmZTi/eMhTVFsgwjvtTZQQ/h1wI4PVexC8CBDXmmiY=",
     *   file_hash: "EEjDiuTPTX2QLpZjdKhkL3wR9eJY4HyoOCTlWfnpMew=",
     * }
     * ```
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    block_id: BlockId;
    /**
     * Code of the contract, a bag of cells in base64; empty if it has no code.
     *
     * @example "te6cckEBAQEAWwAAsv8AIN2k8tAggwjXGCD5AQHTH9Mf0x/tRNDTH9Mf1wv/ISW68u…"
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    code: string;
    /**
     * Data of the contract, a bag of cells in base64; empty if it has no data.
     *
     * @example "te6cckEBAQEAKgAAUAAAAAoAAAACj2CZmjX9X9SnRPhwx+ZSjcVYbZ6tdPxulvkd8B…"
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    data: string;
    /**
     * Hash of the state that a frozen account had, as standard base64 (44 characters); empty for an account that is not frozen.
     *
     * @example ""
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    frozen_hash: string;
    /**
     * Time of the block in block_id, in Unix seconds.
     *
     * @example 1767326400
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    sync_utime: number;
    /**
     * State of the account. The values known are `uninitialized` (no code; it may hold a balance), `active` (it has code) and `frozen` (its code and data were replaced by their hash); a client accepts others too.
     *
     * @example "active"
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    state: AccountState;
    /**
     * True where the network's configuration as of block_id suspends the account; absent otherwise.
     *
     * @example true
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    suspended?: boolean;
};
/**
 * Masterchain block that the result is as of, with the signatures of its validators. Absent if its seqno is the `head` of the request's preference, and where the result needs none.
 * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
 */
export type ProofHead = {
    block_id: BlockId;
    /** @description Merkle proof of the block that shows its info and the hash of the state after it, as a bag of cells in standard base64. */
    header: string;
    /** @description Bitmap of the validators that signed, in the order of their group, most significant bit first, as standard base64. */
    signers: string;
    /** @description Ed25519 signatures, 64 bytes for each signer in the same order, as standard base64. They have more than two thirds of the weight. */
    signatures: string;
    /** @description Identifier of the Simplex session, 32 bytes as standard base64. Absent, as slot and candidate, for ordinary signatures. */
    session?: string;
    /**
     * Format: int64
     * @description Number of the slot of the Simplex session.
     * @example 840
     */
    slot?: number;
    /** @description Candidate of the slot, which names the block, in the binary form of the node's protocol as standard base64. */
    candidate?: string;
} & {
    [key: string]: unknown;
};
/**
 * Step from a key block, or the zero state, to a later masterchain block that its validators signed.
 * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
 */
export type ProofLink = {
    /** @description Merkle proof of the key block, or of the zero state, that shows the parameters which select its validators (28, 34 and 35), as a bag of cells in standard base64. Of the validators it shows the main ones. */
    config: string;
    head: ProofHead;
} & {
    [key: string]: unknown;
};
/**
 * Parts of the chain from which a client that trusts a key block derives the result itself. Present only if the request prefers it and the deployment has it. Other members may come.
 * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
 */
export type Proof = {
    /**
     * @description Type of the object, always `chain.proof`.
     * @example chain.proof
     * @constant
     * @enum {string}
     */
    "@type"?: "chain.proof";
    head?: ProofHead;
    /** @description Steps from the key block of the request's `key` towards the head, each to the next key block and the last one to the head itself, at most 16. Only getMasterchainInfo has them; `head` is then the one of the last step. */
    links?: ProofLink[];
    /** @description Bag of cells as standard base64. Each root is a Merkle proof, in the order that the operation defines. */
    cells?: string;
} & {
    [key: string]: unknown;
};
/**
 * Response of getAddressInformation.
 *
 * @example
 * ```ts
 * {
 *   ok: true,
 *   result: {…},
 *   "@extra": "1767326417:0:0.004",
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
 */
export type GetAddressInformationEnvelope = {
    /**
     * Always true in this envelope.
     *
     * @example true
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    ok: true;
    /**
     * State of an account as of a masterchain block.
     *
     * @example
     * ```ts
     * {
     *   "@type": "raw.fullAccountState",
     *   balance: "7491880250",
     *   extra_currencies: […],
     *   last_transaction_id: {…},
     *   block_id: {…},
     *   code: "te6cckEBAQEAWwAAsv8AIN2k8tAggwjXGCD5AQHTH9Mf0x/tRNDTH9Mf1wv/ISW68u…",
     *   data: "te6cckEBAQEAKgAAUAAAAAoAAAACj2CZmjX9X9SnRPhwx+ZSjcVYbZ6tdPxulvkd8B…",
     *   frozen_hash: "",
     *   sync_utime: 1767326400,
     *   state: "active",
     * }
     * ```
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    result: FullAccountState;
    /**
     * Parts of the chain from which a client that trusts a key block derives the result itself. Present only if the request prefers it and the deployment has it. Other members may come.
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    proof?: Proof;
    /**
     * Identifier of the request. The service repeats the one that the caller passed in, or makes one of the text `<unix seconds>:<node>:<seconds taken>`.
     *
     * @example "1767326417:0:0.004"
     * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
     */
    "@extra"?: string;
};
/**
 * A body without members, because the operation takes no input.
 *
 * @example
 * ```ts
 * {
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/getConsensusBlock/
 */
export type EmptyRequest = Record<string, never>;
/**
 * Latest masterchain block that enough nodes hold for it to be relied upon.
 *
 * @example
 * ```ts
 * {
 *   "@type": "ext.blocks.consensusBlock",
 *   consensus_block: 840,
 *   timestamp: 1767326400,
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/getConsensusBlock/
 */
export type ConsensusBlock = {
    /**
     * Type of the object.
     *
     * @example "ext.blocks.consensusBlock"
     * @see https://chain-query.github.io/chain-query/reference/getConsensusBlock/
     */
    "@type": "ext.blocks.consensusBlock";
    /**
     * Sequence number of that block.
     *
     * @example 840
     * @see https://chain-query.github.io/chain-query/reference/getConsensusBlock/
     */
    consensus_block: number;
    /**
     * Time at which that block was agreed upon, in whole Unix seconds.
     *
     * @example 1767326400
     * @see https://chain-query.github.io/chain-query/reference/getConsensusBlock/
     */
    timestamp: number;
};
/**
 * Response of getConsensusBlock.
 *
 * @example
 * ```ts
 * {
 *   ok: true,
 *   result: {…},
 *   "@extra": "1767326417:0:0.001",
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/getConsensusBlock/
 */
export type GetConsensusBlockEnvelope = {
    /**
     * Always true in this envelope.
     *
     * @example true
     * @see https://chain-query.github.io/chain-query/reference/getConsensusBlock/
     */
    ok: true;
    /**
     * Latest masterchain block that enough nodes hold for it to be relied upon.
     *
     * @example
     * ```ts
     * {
     *   "@type": "ext.blocks.consensusBlock",
     *   consensus_block: 840,
     *   timestamp: 1767326400,
     * }
     * ```
     * @see https://chain-query.github.io/chain-query/reference/getConsensusBlock/
     */
    result: ConsensusBlock;
    /**
     * Parts of the chain from which a client that trusts a key block derives the result itself. Present only if the request prefers it and the deployment has it. Other members may come.
     * @see https://chain-query.github.io/chain-query/reference/getConsensusBlock/
     */
    proof?: Proof;
    /**
     * Identifier of the request. The service repeats the one that the caller passed in, or makes one of the text `<unix seconds>:<node>:<seconds taken>`.
     *
     * @example "1767326417:0:0.001"
     * @see https://chain-query.github.io/chain-query/reference/getConsensusBlock/
     */
    "@extra"?: string;
};
/**
 * Head of the masterchain.
 *
 * @example
 * ```ts
 * {
 *   "@type": "blocks.masterchainInfo",
 *   last: {…},
 *   state_root_hash: "8IK2U6KtzpIijiKPfqp6CE5PVF1eVPCvf4BnfeUUxuo=",
 *   init: {…},
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/getMasterchainInfo/
 */
export type MasterchainInfo = {
    /**
     * Type of the object.
     *
     * @example "blocks.masterchainInfo"
     * @see https://chain-query.github.io/chain-query/reference/getMasterchainInfo/
     */
    "@type": "blocks.masterchainInfo";
    /**
     * Latest block of the masterchain; its seqno is the height of the chain.
     *
     * @example
     * ```ts
     * {
     *   "@type": "chain.blockIdExt",
     *   workchain: -1,
     *   shard: "-9223372036854775808",
     *   seqno: 840,
     *   root_hash: "rTmZTi/eMhTVFsgwjvtTZQQ/h1wI4PVexC8CBDXmmiY=",
     *   file_hash: "EEjDiuTPTX2QLpZjdKhkL3wR9eJY4HyoOCTlWfnpMew=",
     * }
     * ```
     * @see https://chain-query.github.io/chain-query/reference/getMasterchainInfo/
     */
    last: BlockId;
    /**
     * Hash of the root cell of the state after the latest block, as standard base64 (44 characters).
     *
     * @example "8IK2U6KtzpIijiKPfqp6CE5PVF1eVPCvf4BnfeUUxuo="
     * @see https://chain-query.github.io/chain-query/reference/getMasterchainInfo/
     */
    state_root_hash: string;
    /**
     * The zero state from which the chain began; its seqno is 0 and its shard is the text "0".
     *
     * @example
     * ```ts
     * {
     *   "@type": "chain.blockIdExt",
     *   workchain: -1,
     *   shard: "0",
     *   seqno: 0,
     *   root_hash: "ruCOA1HMnowe5qfMhQef/RYEzSBvMwd3nvdoOkbi0yk=",
     *   file_hash: "Ii9UQqzdtVllj2yta3zHoPttDv2wjCzKMTueGx9xvlk=",
     * }
     * ```
     * @see https://chain-query.github.io/chain-query/reference/getMasterchainInfo/
     */
    init: BlockId;
};
/**
 * Response of getMasterchainInfo.
 *
 * @example
 * ```ts
 * {
 *   ok: true,
 *   result: {…},
 *   "@extra": "1767326417:0:0.001",
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/getMasterchainInfo/
 */
export type GetMasterchainInfoEnvelope = {
    /**
     * Always true in this envelope.
     *
     * @example true
     * @see https://chain-query.github.io/chain-query/reference/getMasterchainInfo/
     */
    ok: true;
    /**
     * Head of the masterchain.
     *
     * @example
     * ```ts
     * {
     *   "@type": "blocks.masterchainInfo",
     *   last: {…},
     *   state_root_hash: "8IK2U6KtzpIijiKPfqp6CE5PVF1eVPCvf4BnfeUUxuo=",
     *   init: {…},
     * }
     * ```
     * @see https://chain-query.github.io/chain-query/reference/getMasterchainInfo/
     */
    result: MasterchainInfo;
    /**
     * Parts of the chain from which a client that trusts a key block derives the result itself. Present only if the request prefers it and the deployment has it. Other members may come.
     * @see https://chain-query.github.io/chain-query/reference/getMasterchainInfo/
     */
    proof?: Proof;
    /**
     * Identifier of the request. The service repeats the one that the caller passed in, or makes one of the text `<unix seconds>:<node>:<seconds taken>`.
     *
     * @example "1767326417:0:0.001"
     * @see https://chain-query.github.io/chain-query/reference/getMasterchainInfo/
     */
    "@extra"?: string;
};
/**
 * Size of the outbound message queue of one shard.
 *
 * @example
 * ```ts
 * {
 *   "@type": "blocks.outMsgQueueSize",
 *   id: {…},
 *   size: 0,
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/getOutMsgQueueSize/
 */
export type OutMsgQueueSize = {
    /**
     * Type of the object.
     *
     * @example "blocks.outMsgQueueSize"
     * @see https://chain-query.github.io/chain-query/reference/getOutMsgQueueSize/
     */
    "@type": "blocks.outMsgQueueSize";
    /**
     * Latest block of the shard.
     *
     * @example
     * ```ts
     * {
     *   "@type": "chain.blockIdExt",
     *   workchain: -1,
     *   shard: "-9223372036854775808",
     *   seqno: 840,
     *   root_hash: "rTmZTi/eMhTVFsgwjvtTZQQ/h1wI4PVexC8CBDXmmiY=",
     *   file_hash: "EEjDiuTPTX2QLpZjdKhkL3wR9eJY4HyoOCTlWfnpMew=",
     * }
     * ```
     * @see https://chain-query.github.io/chain-query/reference/getOutMsgQueueSize/
     */
    id: BlockId;
    /**
     * Number of messages that wait in the queue.
     *
     * @example 0
     * @see https://chain-query.github.io/chain-query/reference/getOutMsgQueueSize/
     */
    size: number;
};
/**
 * Sizes of the outbound message queues of all shards.
 *
 * @example
 * ```ts
 * {
 *   "@type": "blocks.outMsgQueueSizes",
 *   shards: […],
 *   ext_msg_queue_size_limit: 8000,
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/getOutMsgQueueSize/
 */
export type OutMsgQueueSizes = {
    /**
     * Type of the object.
     *
     * @example "blocks.outMsgQueueSizes"
     * @see https://chain-query.github.io/chain-query/reference/getOutMsgQueueSize/
     */
    "@type": "blocks.outMsgQueueSizes";
    /**
     * One entry for each shard, the masterchain first.
     *
     * @example […]
     * @see https://chain-query.github.io/chain-query/reference/getOutMsgQueueSize/
     */
    shards: OutMsgQueueSize[];
    /**
     * Number of waiting messages above which the network takes no external message.
     *
     * @example 8000
     * @see https://chain-query.github.io/chain-query/reference/getOutMsgQueueSize/
     */
    ext_msg_queue_size_limit: number;
};
/**
 * Response of getOutMsgQueueSize.
 *
 * @example
 * ```ts
 * {
 *   ok: true,
 *   result: {…},
 *   "@extra": "1767326417:0:0.002",
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/getOutMsgQueueSize/
 */
export type GetOutMsgQueueSizeEnvelope = {
    /**
     * Always true in this envelope.
     *
     * @example true
     * @see https://chain-query.github.io/chain-query/reference/getOutMsgQueueSize/
     */
    ok: true;
    /**
     * Sizes of the outbound message queues of all shards.
     *
     * @example
     * ```ts
     * {
     *   "@type": "blocks.outMsgQueueSizes",
     *   shards: […],
     *   ext_msg_queue_size_limit: 8000,
     * }
     * ```
     * @see https://chain-query.github.io/chain-query/reference/getOutMsgQueueSize/
     */
    result: OutMsgQueueSizes;
    /**
     * Parts of the chain from which a client that trusts a key block derives the result itself. Present only if the request prefers it and the deployment has it. Other members may come.
     * @see https://chain-query.github.io/chain-query/reference/getOutMsgQueueSize/
     */
    proof?: Proof;
    /**
     * Identifier of the request. The service repeats the one that the caller passed in, or makes one of the text `<unix seconds>:<node>:<seconds taken>`.
     *
     * @example "1767326417:0:0.002"
     * @see https://chain-query.github.io/chain-query/reference/getOutMsgQueueSize/
     */
    "@extra"?: string;
};
/**
 * Address of an account, wrapped in an object.
 *
 * @example
 * ```ts
 * {
 *   "@type": "accountAddress",
 *   account_address: "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi",
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
 */
export type AccountAddress = {
    /**
     * Type of the object.
     *
     * @example "accountAddress"
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    "@type": "accountAddress";
    /**
     * Address in the user-friendly, bounceable form; empty where a message has no such end.
     *
     * @example "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi"
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    account_address: string;
};
/**
 * Content of a message whose body is not decoded.
 *
 * @example
 * ```ts
 * {
 *   "@type": "msg.dataRaw",
 *   body: "te6cckEBAgEAJAABGFr+AAEAAAAAAAAAAgEAJjI1MDAgcG9pbnRzIGZvciB5b3VNAIyq",
 *   init_state: "",
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
 */
export type RawContent = {
    /**
     * Type of the content.
     *
     * @example "msg.dataRaw"
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    "@type": "msg.dataRaw";
    /**
     * Body of the message, a bag of cells in base64.
     *
     * @example "te6cckEBAgEAJAABGFr+AAEAAAAAAAAAAgEAJjI1MDAgcG9pbnRzIGZvciB5b3VNAIyq"
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    body: string;
    /**
     * State with which the message deploys a contract, a bag of cells in base64; empty if it deploys no contract.
     *
     * @example ""
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    init_state: string;
};
/**
 * A text comment that is not encrypted.
 *
 * @example
 * ```ts
 * {
 *   "@type": "msg.dataText",
 *   text: "V2VsY29tZSwgQ2Fyb2w=",
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
 */
export type TextContent = {
    /**
     * Type of the content.
     *
     * @example "msg.dataText"
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    "@type": "msg.dataText";
    /**
     * Text as UTF-8 in standard base64.
     *
     * @example "V2VsY29tZSwgQ2Fyb2w="
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    text: string;
};
/**
 * A text comment that only its reader can decrypt.
 *
 * @example
 * ```ts
 * {
 *   "@type": "msg.dataEncryptedText",
 *   text: "O60P1gV/CsV8BO134goxMToRH8PLLHzJnj8SJyOgeSADRyt3szNT/j1kdX+rtSUzTY…",
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
 */
export type EncryptedTextContent = {
    /**
     * Type of the content.
     *
     * @example "msg.dataEncryptedText"
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    "@type": "msg.dataEncryptedText";
    /**
     * Encrypted bytes in standard base64.
     *
     * @example "O60P1gV/CsV8BO134goxMToRH8PLLHzJnj8SJyOgeSADRyt3szNT/j1kdX+rtSUzTY…"
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    text: string;
};
/**
 * A text comment that was sent encrypted and that the service has decrypted.
 * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
 */
export type DecryptedTextContent = {
    /**
     * Type of the content.
     *
     * @example "msg.dataDecryptedText"
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    "@type": "msg.dataDecryptedText";
    /**
     * Decrypted text as UTF-8 in standard base64.
     *
     * @example "VGhhbmtzIGZvciB0aGUgY29mZmVl"
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    text: string;
};
/**
 * Content of a message; its `@type` says which kind it is.
 *
 * @example
 * ```ts
 * {
 *   "@type": "msg.dataRaw",
 *   body: "te6cckEBAgEAJAABGFr+AAEAAAAAAAAAAgEAJjI1MDAgcG9pbnRzIGZvciB5b3VNAIyq",
 *   init_state: "",
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
 */
export type MessageContent = RawContent | TextContent | EncryptedTextContent | DecryptedTextContent;
/**
 * A message as the listing of an account's transactions shows it. A comment is in msg_data; the member message is only on a message of the locate operations.
 *
 * @example
 * ```ts
 * {
 *   "@type": "raw.message",
 *   hash: "TMKdZ1Jbi+PkuVxYRTr/Gq+3b6m5Wlab28jXVEKefag=",
 *   source: {…},
 *   destination: {…},
 *   value: "750000000",
 *   extra_currencies: […],
 *   fwd_fee: "386137",
 *   ihr_fee: "0",
 *   created_lt: "1553000002",
 *   body_hash: "hBNZWkFmXfk0cPVBFJjSu6Ti5QT926rT3PIxG6GK2b4=",
 *   msg_data: {…},
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
 */
export type Message = {
    /**
     * Type of the object.
     *
     * @example "raw.message"
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    "@type": "raw.message";
    /**
     * Hash of the message's root cell, as standard base64 (44 characters).
     *
     * @example "TMKdZ1Jbi+PkuVxYRTr/Gq+3b6m5Wlab28jXVEKefag="
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    hash: string;
    /**
     * Address of the sender; its text is empty for an external message.
     *
     * @example
     * ```ts
     * {
     *   "@type": "accountAddress",
     *   account_address: "EQCzs-U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd-Yz",
     * }
     * ```
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    source: AccountAddress;
    /**
     * Address of the recipient; its text is empty for a message that leaves the chain.
     *
     * @example
     * ```ts
     * {
     *   "@type": "accountAddress",
     *   account_address: "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi",
     * }
     * ```
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    destination: AccountAddress;
    /**
     * Amount that the message carries, in the smallest unit.
     *
     * @example "750000000"
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    value: string;
    /**
     * Amounts of other currencies that the message carries.
     *
     * @example […]
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    extra_currencies: ExtraCurrency[];
    /**
     * Fee for forwarding the message, in the smallest unit.
     *
     * @example "386137"
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    fwd_fee: string;
    /**
     * Fee for instant hypercube routing, in the smallest unit. The sender's transaction has it in `fee`, and the recipient gets it with the value; "0" for messages of today.
     *
     * @example "0"
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    ihr_fee: string;
    /**
     * Logical time at which the message was created, a decimal string.
     *
     * @example "1553000002"
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    created_lt: string;
    /**
     * Hash of the body's root cell, as standard base64 (44 characters).
     *
     * @example "hBNZWkFmXfk0cPVBFJjSu6Ti5QT926rT3PIxG6GK2b4="
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    body_hash: string;
    /**
     * Content of a message; its `@type` says which kind it is.
     *
     * @example
     * ```ts
     * {
     *   "@type": "msg.dataRaw",
     *   body: "te6cckEBAgEAJAABGFr+AAEAAAAAAAAAAgEAJjI1MDAgcG9pbnRzIGZvciB5b3VNAIyq",
     *   init_state: "",
     * }
     * ```
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    msg_data: MessageContent;
};
/**
 * A transaction as the listing of an account's transactions shows it.
 *
 * @example
 * ```ts
 * {
 *   "@type": "raw.transaction",
 *   address: {…},
 *   utime: 1767318960,
 *   data: "te6cckECCgEAAcIAA7N0atQSKL8Cc/mFkeiK6lz949YWdiEJsGISI1Wrr4COV+AAAA…",
 *   transaction_id: {…},
 *   fee: "40863",
 *   storage_fee: "863",
 *   other_fee: "40000",
 *   out_msgs: [],
 *   in_msg: {…},
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
 */
export type Transaction = {
    /**
     * Type of the object.
     *
     * @example "raw.transaction"
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    "@type": "raw.transaction";
    /**
     * Account that the transaction belongs to.
     *
     * @example
     * ```ts
     * {
     *   "@type": "accountAddress",
     *   account_address: "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi",
     * }
     * ```
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    address: AccountAddress;
    /**
     * Time of the block that holds the transaction, in Unix seconds.
     *
     * @example 1767318960
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    utime: number;
    /**
     * The whole transaction, a bag of cells in base64.
     *
     * @example "te6cckECCgEAAcIAA7N0atQSKL8Cc/mFkeiK6lz949YWdiEJsGISI1Wrr4COV+AAAA…"
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    data: string;
    /**
     * Identifier of a transaction within the history of its account.
     *
     * @example
     * ```ts
     * {
     *   "@type": "internal.transactionId",
     *   lt: "1555000001",
     *   hash: "pj1g6I7IDFnNGP059rOCFkgXw7wMaVQ/CODGnNb0oeU=",
     * }
     * ```
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    transaction_id: TransactionId;
    /**
     * All fees of the transaction in the smallest unit, which is storage_fee plus other_fee.
     *
     * @example "40863"
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    fee: string;
    /**
     * Fee for keeping the account's state since its last transaction, in the smallest unit.
     *
     * @example "863"
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    storage_fee: string;
    /**
     * All fees but storage_fee, in the smallest unit.
     *
     * @example "40000"
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    other_fee: string;
    /**
     * Message that started the transaction; absent where the clock did (tick-tock transactions).
     *
     * @example
     * ```ts
     * {
     *   "@type": "raw.message",
     *   hash: "TMKdZ1Jbi+PkuVxYRTr/Gq+3b6m5Wlab28jXVEKefag=",
     *   source: {…},
     *   destination: {…},
     *   value: "750000000",
     *   extra_currencies: […],
     *   fwd_fee: "386137",
     *   ihr_fee: "0",
     *   created_lt: "1553000002",
     *   body_hash: "hBNZWkFmXfk0cPVBFJjSu6Ti5QT926rT3PIxG6GK2b4=",
     *   msg_data: {…},
     * }
     * ```
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    in_msg?: Message;
    /**
     * Messages that the transaction sent, in the order of their created_lt.
     *
     * @example []
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    out_msgs: Message[];
};
/**
 * One page of an account's transactions, newest first.
 *
 * @example
 * ```ts
 * {
 *   "@type": "raw.transactions",
 *   transactions: […],
 *   previous_transaction_id: {…},
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
 */
export type Transactions = {
    /**
     * Type of the object.
     *
     * @example "raw.transactions"
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    "@type": "raw.transactions";
    /**
     * Transactions in strictly descending logical time, the starting one included; a page may be shorter than the limit.
     *
     * @example […]
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    transactions: Transaction[];
    /**
     * Where the next page starts. At the end of the listing its lt is "0" and its hash is 32 zero bytes.
     *
     * @example
     * ```ts
     * {
     *   "@type": "internal.transactionId",
     *   lt: "823000001",
     *   hash: "Ci/401J9kaHmt8iLHU5TzZdcUcOys/oMn9q8H6iJHh4=",
     * }
     * ```
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    previous_transaction_id: TransactionId;
};
/**
 * Response of getTransactionsStd.
 *
 * @example
 * ```ts
 * {
 *   ok: true,
 *   result: {…},
 *   "@extra": "1767326417:0:0.006",
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
 */
export type GetTransactionsStdEnvelope = {
    /**
     * Always true in this envelope.
     *
     * @example true
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    ok: true;
    /**
     * One page of an account's transactions, newest first.
     *
     * @example
     * ```ts
     * {
     *   "@type": "raw.transactions",
     *   transactions: […],
     *   previous_transaction_id: {…},
     * }
     * ```
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    result: Transactions;
    /**
     * Parts of the chain from which a client that trusts a key block derives the result itself. Present only if the request prefers it and the deployment has it. Other members may come.
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    proof?: Proof;
    /**
     * Identifier of the request. The service repeats the one that the caller passed in, or makes one of the text `<unix seconds>:<node>:<seconds taken>`.
     *
     * @example "1767326417:0:0.006"
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    "@extra"?: string;
    /**
     * Version of the JSON-RPC protocol; present only where the request came in a JSON-RPC envelope.
     *
     * @example "2.0"
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    jsonrpc?: string;
    /**
     * Identifier that the JSON-RPC request carried, repeated.
     *
     * @example "1"
     * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
     */
    id?: string;
};
/**
 * Finds the block with a sequence number.
 *
 * @example
 * ```ts
 * {
 *   workchain: -1,
 *   shard: "-9223372036854775808",
 *   seqno: 840,
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
 */
export type LookupBlockBySeqno = {
    /**
     * Workchain number, as an integer or a decimal string. The masterchain is -1 and the basechain is 0.
     *
     * @example -1
     * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
     */
    workchain: number | string;
    /**
     * Shard identifier, a signed 64-bit integer, as a decimal string or an integer; a string loses no digits. The hexadecimal form of a shard, such as 8000000000000000, is refused.
     *
     * @example "-9223372036854775808"
     * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
     */
    shard: number | string;
    /**
     * Sequence number of the block, a positive integer, as an integer or a decimal string.
     *
     * @example 840
     * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
     */
    seqno: number | string;
};
/**
 * Finds the first block that ends at or after a logical time.
 *
 * @example
 * ```ts
 * {
 *   workchain: 0,
 *   shard: "4611686018427387904",
 *   lt: "433000001",
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
 */
export type LookupBlockByLt = {
    /**
     * Workchain number, as an integer or a decimal string. The masterchain is -1 and the basechain is 0.
     *
     * @example 0
     * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
     */
    workchain: number | string;
    /**
     * Shard identifier, a signed 64-bit integer, as a decimal string or an integer; a string loses no digits. The hexadecimal form of a shard, such as 8000000000000000, is refused.
     *
     * @example "4611686018427387904"
     * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
     */
    shard: number | string;
    /**
     * Logical time to find the block by, as a decimal string or an integer; a string loses no digits.
     *
     * @example "433000001"
     * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
     */
    lt: number | string;
};
/**
 * Finds the first block at or after a time.
 *
 * @example
 * ```ts
 * {
 *   workchain: -1,
 *   shard: "-9223372036854775808",
 *   unixtime: 1767251637,
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
 */
export type LookupBlockByUnixtime = {
    /**
     * Workchain number, as an integer or a decimal string. The masterchain is -1 and the basechain is 0.
     *
     * @example -1
     * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
     */
    workchain: number | string;
    /**
     * Shard identifier, a signed 64-bit integer, as a decimal string or an integer; a string loses no digits. The hexadecimal form of a shard, such as 8000000000000000, is refused.
     *
     * @example "-9223372036854775808"
     * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
     */
    shard: number | string;
    /**
     * Time in whole seconds since 1970-01-01T00:00:00Z, as an integer or a decimal string.
     *
     * @example 1767251637
     * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
     */
    unixtime: number | string;
};
/**
 * The chain to search and exactly one of seqno, lt and unixtime to find the block by.
 *
 * @example
 * ```ts
 * {
 *   workchain: -1,
 *   shard: "-9223372036854775808",
 *   seqno: 840,
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
 */
export type LookupBlockRequest = LookupBlockBySeqno | LookupBlockByLt | LookupBlockByUnixtime;
/**
 * Response of lookupBlock.
 *
 * @example
 * ```ts
 * {
 *   ok: true,
 *   result: {…},
 *   "@extra": "1767326417:0:0.001",
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
 */
export type LookupBlockEnvelope = {
    /**
     * Always true in this envelope.
     *
     * @example true
     * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
     */
    ok: true;
    /**
     * Identifier of a block, complete enough to prove its content.
     *
     * @example
     * ```ts
     * {
     *   "@type": "chain.blockIdExt",
     *   workchain: -1,
     *   shard: "-9223372036854775808",
     *   seqno: 840,
     *   root_hash: "rTmZTi/eMhTVFsgwjvtTZQQ/h1wI4PVexC8CBDXmmiY=",
     *   file_hash: "EEjDiuTPTX2QLpZjdKhkL3wR9eJY4HyoOCTlWfnpMew=",
     * }
     * ```
     * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
     */
    result: BlockId;
    /**
     * Parts of the chain from which a client that trusts a key block derives the result itself. Present only if the request prefers it and the deployment has it. Other members may come.
     * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
     */
    proof?: Proof;
    /**
     * Identifier of the request. The service repeats the one that the caller passed in, or makes one of the text `<unix seconds>:<node>:<seconds taken>`.
     *
     * @example "1767326417:0:0.001"
     * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
     */
    "@extra"?: string;
};
/**
 * A message as the locate operations show it. Source, destination and created_lt together identify it.
 *
 * @example
 * ```ts
 * {
 *   "@type": "ext.message",
 *   hash: "ZkTz5W0WyEOczdEYutwoY3YGPrZgF7hg8Y9UM1rDTsA=",
 *   source: "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi",
 *   destination: "EQCzs-U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd-Yz",
 *   value: "3500000000",
 *   extra_currencies: [],
 *   fwd_fee: "346670",
 *   ihr_fee: "0",
 *   created_lt: "433000002",
 *   body_hash: "Q4fzDvQXY2kXJ/50RvmCVloEveKLFt8a66zySh7DxmU=",
 *   msg_data: {…},
 *   message: "Thanks for the coffee",
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
 */
export type LocatedMessage = {
    /**
     * Type of the object.
     *
     * @example "ext.message"
     * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
     */
    "@type": "ext.message";
    /**
     * Hash of the message's root cell, as standard base64 (44 characters).
     *
     * @example "ZkTz5W0WyEOczdEYutwoY3YGPrZgF7hg8Y9UM1rDTsA="
     * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
     */
    hash: string;
    /**
     * Address of the sender; empty for an external message.
     *
     * @example "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi"
     * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
     */
    source: string;
    /**
     * Address of the recipient; empty for a message that leaves the chain.
     *
     * @example "EQCzs-U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd-Yz"
     * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
     */
    destination: string;
    /**
     * Amount that the message carries, in the smallest unit.
     *
     * @example "3500000000"
     * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
     */
    value: string;
    /**
     * Amounts of other currencies that the message carries.
     *
     * @example []
     * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
     */
    extra_currencies: ExtraCurrency[];
    /**
     * Fee for forwarding the message, in the smallest unit.
     *
     * @example "346670"
     * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
     */
    fwd_fee: string;
    /**
     * Fee for instant hypercube routing, in the smallest unit. The sender's transaction has it in `fee`, and the recipient gets it with the value; "0" for messages of today.
     *
     * @example "0"
     * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
     */
    ihr_fee: string;
    /**
     * Logical time at which the message was created, a decimal string.
     *
     * @example "433000002"
     * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
     */
    created_lt: string;
    /**
     * Hash of the body's root cell, as standard base64 (44 characters).
     *
     * @example "Q4fzDvQXY2kXJ/50RvmCVloEveKLFt8a66zySh7DxmU="
     * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
     */
    body_hash: string;
    /**
     * Content of a message; its `@type` says which kind it is.
     *
     * @example
     * ```ts
     * {
     *   "@type": "msg.dataText",
     *   text: "VGhhbmtzIGZvciB0aGUgY29mZmVl",
     * }
     * ```
     * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
     */
    msg_data: MessageContent;
    /**
     * The comment as plain text, where the body is one; left out or undecoded bytes otherwise.
     *
     * @example "Thanks for the coffee"
     * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
     */
    message?: string;
    /**
     * Why the body could not be decoded, as a message; present only if decoding failed.
     *
     * @example "The comment is not valid UTF-8"
     * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
     */
    message_decode_error?: string;
};
/**
 * A transaction as the locate operations show it.
 *
 * @example
 * ```ts
 * {
 *   "@type": "ext.transaction",
 *   address: {…},
 *   account: "0:B3B3E534502F39776A634B3A956533AC7952E3CB6CC7732051C152DBCA15B377",
 *   utime: 1767251760,
 *   data: "te6cckECCAEAAa0AA7N7Oz5TRQLzl3amNLOpVlM6x5UuPLbMdzIFHBUtvKFbN3AAAA…",
 *   transaction_id: {…},
 *   fee: "41002",
 *   storage_fee: "1002",
 *   other_fee: "40000",
 *   out_msgs: [],
 *   in_msg: {…},
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
 */
export type LocatedTransaction = {
    /**
     * Type of the object.
     *
     * @example "ext.transaction"
     * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
     */
    "@type": "ext.transaction";
    /**
     * Account that the transaction belongs to.
     *
     * @example
     * ```ts
     * {
     *   "@type": "accountAddress",
     *   account_address: "EQCzs-U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd-Yz",
     * }
     * ```
     * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
     */
    address: AccountAddress;
    /**
     * The same account in raw form.
     *
     * @example "0:B3B3E534502F39776A634B3A956533AC7952E3CB6CC7732051C152DBCA15B377"
     * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
     */
    account: string;
    /**
     * Time of the block that holds the transaction, in Unix seconds.
     *
     * @example 1767251760
     * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
     */
    utime: number;
    /**
     * The whole transaction, a bag of cells in base64.
     *
     * @example "te6cckECCAEAAa0AA7N7Oz5TRQLzl3amNLOpVlM6x5UuPLbMdzIFHBUtvKFbN3AAAA…"
     * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
     */
    data: string;
    /**
     * Identifier of a transaction within the history of its account.
     *
     * @example
     * ```ts
     * {
     *   "@type": "internal.transactionId",
     *   lt: "435000001",
     *   hash: "+8nbFC29mgz4VH/2NpDwMMzLf4HRpHwuKjjUy8u8d6c=",
     * }
     * ```
     * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
     */
    transaction_id: TransactionId;
    /**
     * All fees of the transaction in the smallest unit, which is storage_fee plus other_fee.
     *
     * @example "41002"
     * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
     */
    fee: string;
    /**
     * Fee for keeping the account's state since its last transaction, in the smallest unit.
     *
     * @example "1002"
     * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
     */
    storage_fee: string;
    /**
     * All fees but storage_fee, in the smallest unit.
     *
     * @example "40000"
     * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
     */
    other_fee: string;
    /**
     * Message that started the transaction; absent where the clock did (tick-tock transactions).
     *
     * @example
     * ```ts
     * {
     *   "@type": "ext.message",
     *   hash: "ZkTz5W0WyEOczdEYutwoY3YGPrZgF7hg8Y9UM1rDTsA=",
     *   source: "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi",
     *   destination: "EQCzs-U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd-Yz",
     *   value: "3500000000",
     *   extra_currencies: [],
     *   fwd_fee: "346670",
     *   ihr_fee: "0",
     *   created_lt: "433000002",
     *   body_hash: "Q4fzDvQXY2kXJ/50RvmCVloEveKLFt8a66zySh7DxmU=",
     *   msg_data: {…},
     *   message: "Thanks for the coffee",
     * }
     * ```
     * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
     */
    in_msg?: LocatedMessage;
    /**
     * Messages that the transaction sent, in the order of their created_lt.
     *
     * @example []
     * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
     */
    out_msgs: LocatedMessage[];
};
/**
 * Response of tryLocateResultTx.
 *
 * @example
 * ```ts
 * {
 *   ok: true,
 *   result: {…},
 *   "@extra": "1767326417:0:0.003",
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
 */
export type TryLocateResultTxEnvelope = {
    /**
     * Always true in this envelope.
     *
     * @example true
     * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
     */
    ok: true;
    /**
     * A transaction as the locate operations show it.
     *
     * @example
     * ```ts
     * {
     *   "@type": "ext.transaction",
     *   address: {…},
     *   account: "0:B3B3E534502F39776A634B3A956533AC7952E3CB6CC7732051C152DBCA15B377",
     *   utime: 1767251760,
     *   data: "te6cckECCAEAAa0AA7N7Oz5TRQLzl3amNLOpVlM6x5UuPLbMdzIFHBUtvKFbN3AAAA…",
     *   transaction_id: {…},
     *   fee: "41002",
     *   storage_fee: "1002",
     *   other_fee: "40000",
     *   out_msgs: [],
     *   in_msg: {…},
     * }
     * ```
     * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
     */
    result: LocatedTransaction;
    /**
     * Parts of the chain from which a client that trusts a key block derives the result itself. Present only if the request prefers it and the deployment has it. Other members may come.
     * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
     */
    proof?: Proof;
    /**
     * Identifier of the request. The service repeats the one that the caller passed in, or makes one of the text `<unix seconds>:<node>:<seconds taken>`.
     *
     * @example "1767326417:0:0.003"
     * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
     */
    "@extra"?: string;
};
/**
 * The message whose sending transaction is sought, identified by three fields.
 *
 * @example
 * ```ts
 * {
 *   source: "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi",
 *   destination: "EQCzs-U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd-Yz",
 *   created_lt: "433000002",
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/tryLocateSourceTx/
 */
export type TryLocateSourceTxRequest = {
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
     * @example "433000002"
     * @see https://chain-query.github.io/chain-query/reference/tryLocateSourceTx/
     */
    created_lt: string;
};
/**
 * Response of tryLocateSourceTx.
 *
 * @example
 * ```ts
 * {
 *   ok: true,
 *   result: {…},
 *   "@extra": "1767326417:0:0.004",
 * }
 * ```
 * @see https://chain-query.github.io/chain-query/reference/tryLocateSourceTx/
 */
export type TryLocateSourceTxEnvelope = {
    /**
     * Always true in this envelope.
     *
     * @example true
     * @see https://chain-query.github.io/chain-query/reference/tryLocateSourceTx/
     */
    ok: true;
    /**
     * A transaction as the locate operations show it.
     *
     * @example
     * ```ts
     * {
     *   "@type": "ext.transaction",
     *   address: {…},
     *   account: "0:46AD41228BF0273F98591E88AEA5CFDE3D616762109B062122355ABAF808E57E",
     *   utime: 1767251640,
     *   data: "te6cckECDwEAAvIAA7V0atQSKL8Cc/mFkeiK6lz949YWdiEJsGISI1Wrr4COV+AAAA…",
     *   transaction_id: {…},
     *   fee: "3216629",
     *   storage_fee: "229",
     *   other_fee: "3216400",
     *   out_msgs: […],
     *   in_msg: {…},
     * }
     * ```
     * @see https://chain-query.github.io/chain-query/reference/tryLocateSourceTx/
     */
    result: LocatedTransaction;
    /**
     * Parts of the chain from which a client that trusts a key block derives the result itself. Present only if the request prefers it and the deployment has it. Other members may come.
     * @see https://chain-query.github.io/chain-query/reference/tryLocateSourceTx/
     */
    proof?: Proof;
    /**
     * Identifier of the request. The service repeats the one that the caller passed in, or makes one of the text `<unix seconds>:<node>:<seconds taken>`.
     *
     * @example "1767326417:0:0.004"
     * @see https://chain-query.github.io/chain-query/reference/tryLocateSourceTx/
     */
    "@extra"?: string;
};
export interface paths {
    "/api/v2/getAddressInformation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read the state of an account
         * @description Reads balance, code, data and state of an account, as of the head or of an earlier masterchain block. An account that was never seen is uninitialized with balance "0".
         */
        post: operations["getAddressInformation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getConsensusBlock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read the latest consensus block
         * @description Reads the latest masterchain block that enough nodes of the deployment hold for every one of them to respond from it.
         */
        post: operations["getConsensusBlock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getMasterchainInfo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the head of the masterchain
         * @description Reads the latest masterchain block, the hash of the state after it, and the zero state from which the chain began.
         */
        get: operations["getMasterchainInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getOutMsgQueueSize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read the sizes of the outbound message queues
         * @description Reads how many messages wait in the outbound queue of each shard, the masterchain first.
         */
        post: operations["getOutMsgQueueSize"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getTransactionsStd": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the transactions of an account
         * @description Lists transactions of an account, newest first, from the transaction given by lt and hash, or the latest. The next page starts at previous_transaction_id; a page shorter than the limit does not end the history.
         */
        get: operations["getTransactionsStd"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/lookupBlock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look up a block
         * @description Finds the identifier of a block by workchain and shard and exactly one of seqno, lt and unixtime. A seqno finds the block with that number, an lt the first block whose last lt is at or above it, a unixtime the first block at or after it. A block past the head is not found. The shard of the response may differ from the one asked for, after a split or a merge.
         */
        post: operations["lookupBlock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/tryLocateResultTx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the transaction that received a message
         * @description Finds the transaction of the destination account that received a message.
         */
        get: operations["tryLocateResultTx"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/tryLocateSourceTx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find the transaction that sent a message
         * @description Finds the transaction of the source account that sent a message. A message from outside the chain has no such transaction.
         */
        post: operations["tryLocateSourceTx"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * Account address in either of two forms, detected automatically. The raw form is the workchain, a colon and 64 hexadecimal digits. The user-friendly form is 48 characters of base64 in the standard or URL-safe alphabet, which hold flags and a checksum.
         *
         * @example "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi"
         * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
         */
        Address: string;
        GetAddressInformationRequest: GetAddressInformationRequest;
        FailureReason: FailureReason;
        /**
         * Identifier of the request. The service repeats the one that the caller passed in, or makes one of the text `<unix seconds>:<node>:<seconds taken>`.
         *
         * @example "1767326417:0:0.004"
         * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
         */
        Extra: string;
        Failure: Failure;
        /**
         * Amount in the smallest unit of the currency, a non-negative integer as a decimal string.
         *
         * @example "7491880250"
         * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
         */
        Amount: string;
        extraCurrency: ExtraCurrency;
        /**
         * Logical time, a counter that orders all events of the chain; a higher value is more recent. An unsigned integer below 2^63 as a decimal string, because it does not fit a JSON number.
         *
         * @example "1555000001"
         * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
         */
        LogicalTime: string;
        /**
         * A 256-bit hash, as standard base64 with padding (44 characters).
         *
         * @example "pj1g6I7IDFnNGP059rOCFkgXw7wMaVQ/CODGnNb0oeU="
         * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
         */
        Hash: string;
        "internal.transactionId": TransactionId;
        /**
         * Workchain number. The masterchain is -1 and the basechain is 0.
         *
         * @example -1
         * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
         */
        Workchain: number;
        /**
         * Shard identifier, a signed 64-bit integer as a decimal string, because it does not fit a JSON number. The masterchain has the single shard -9223372036854775808.
         *
         * @example "-9223372036854775808"
         * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
         */
        ShardId: string;
        /**
         * Sequence number of a block, also called its height, an unsigned 32-bit integer. The zero state has 0.
         *
         * @example 840
         * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
         */
        Seqno: number;
        "chain.blockIdExt": BlockId;
        /**
         * A tree of cells serialised as a bag of cells, as standard base64 with padding; empty if absent.
         *
         * @example "te6cckEBAQEAWwAAsv8AIN2k8tAggwjXGCD5AQHTH9Mf0x/tRNDTH9Mf1wv/ISW68u…"
         * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
         */
        Boc: string;
        /**
         * Hash of the state that a frozen account had, as standard base64 (44 characters); empty for an account that is not frozen.
         *
         * @example ""
         * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
         */
        FrozenHash: string;
        /**
         * Time in whole seconds since 1970-01-01T00:00:00Z, an unsigned 32-bit integer.
         *
         * @example 1767326400
         * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
         */
        UnixTime: number;
        AccountState: AccountState;
        "raw.fullAccountState": FullAccountState;
        /**
         * Bytes as standard base64 with padding; empty if there are no bytes.
         *
         * @example "V2VsY29tZSwgQ2Fyb2w="
         * @see https://chain-query.github.io/chain-query/reference/getAddressInformation/
         */
        Base64: string;
        ProofHead: ProofHead;
        ProofLink: ProofLink;
        Proof: Proof;
        GetAddressInformationEnvelope: GetAddressInformationEnvelope;
        EmptyRequest: EmptyRequest;
        "ext.blocks.consensusBlock": ConsensusBlock;
        GetConsensusBlockEnvelope: GetConsensusBlockEnvelope;
        "blocks.masterchainInfo": MasterchainInfo;
        GetMasterchainInfoEnvelope: GetMasterchainInfoEnvelope;
        "blocks.outMsgQueueSize": OutMsgQueueSize;
        "blocks.outMsgQueueSizes": OutMsgQueueSizes;
        GetOutMsgQueueSizeEnvelope: GetOutMsgQueueSizeEnvelope;
        /**
         * A 256-bit hash, as hexadecimal (64 characters) or as base64 with padding (44 characters, standard or URL-safe alphabet); the encoding is detected from the length.
         *
         * @example "pj1g6I7IDFnNGP059rOCFkgXw7wMaVQ/CODGnNb0oeU="
         * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
         */
        HashInput: string;
        /**
         * Account address in raw or user-friendly form, or the empty string where a message has no such end because it comes from outside the chain or leaves it.
         *
         * @example "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi"
         * @see https://chain-query.github.io/chain-query/reference/getTransactionsStd/
         */
        AddressOrEmpty: string;
        accountAddress: AccountAddress;
        "msg.dataRaw": RawContent;
        "msg.dataText": TextContent;
        "msg.dataEncryptedText": EncryptedTextContent;
        "msg.dataDecryptedText": DecryptedTextContent;
        MessageContent: MessageContent;
        "raw.message": Message;
        "raw.transaction": Transaction;
        "raw.transactions": Transactions;
        GetTransactionsStdEnvelope: GetTransactionsStdEnvelope;
        /**
         * Workchain number, as an integer or a decimal string. The masterchain is -1 and the basechain is 0.
         *
         * @example -1
         * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
         */
        WorkchainInput: number | string;
        /**
         * Shard identifier, a signed 64-bit integer, as a decimal string or an integer; a string loses no digits. The hexadecimal form of a shard, such as 8000000000000000, is refused.
         *
         * @example "-9223372036854775808"
         * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
         */
        ShardIdInput: number | string;
        /**
         * Sequence number of the block, a positive integer, as an integer or a decimal string.
         *
         * @example 840
         * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
         */
        SeqnoInput: number | string;
        LookupBlockBySeqno: LookupBlockBySeqno;
        /**
         * Logical time to find the block by, as a decimal string or an integer; a string loses no digits.
         *
         * @example "433000001"
         * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
         */
        LogicalTimeInput: number | string;
        LookupBlockByLt: LookupBlockByLt;
        /**
         * Time in whole seconds since 1970-01-01T00:00:00Z, as an integer or a decimal string.
         *
         * @example 1767251637
         * @see https://chain-query.github.io/chain-query/reference/lookupBlock/
         */
        UnixTimeInput: number | string;
        LookupBlockByUnixtime: LookupBlockByUnixtime;
        LookupBlockRequest: LookupBlockRequest;
        LookupBlockEnvelope: LookupBlockEnvelope;
        /**
         * Account address in raw form, which is the workchain, a colon and 64 hexadecimal digits in capitals.
         *
         * @example "0:B3B3E534502F39776A634B3A956533AC7952E3CB6CC7732051C152DBCA15B377"
         * @see https://chain-query.github.io/chain-query/reference/tryLocateResultTx/
         */
        RawAddress: string;
        "ext.message": LocatedMessage;
        "ext.transaction": LocatedTransaction;
        TryLocateResultTxEnvelope: TryLocateResultTxEnvelope;
        TryLocateSourceTxRequest: TryLocateSourceTxRequest;
        TryLocateSourceTxEnvelope: TryLocateSourceTxEnvelope;
    };
    responses: {
        /** @description Any other failure. Its status is in the code member too; 542 says that no node is available. */
        UnexpectedFailure: {
            headers: {
                "chain-head"?: components["headers"]["chain-head"];
                "X-Request-Id"?: components["headers"]["X-Request-Id"];
                "Cache-Control"?: components["headers"]["Cache-Control"];
                Vary?: components["headers"]["Vary"];
                "Preference-Applied"?: components["headers"]["Preference-Applied"];
                RateLimit?: components["headers"]["RateLimit"];
                "RateLimit-Policy"?: components["headers"]["RateLimit-Policy"];
                "Access-Control-Allow-Origin"?: components["headers"]["Access-Control-Allow-Origin"];
                "Access-Control-Expose-Headers"?: components["headers"]["Access-Control-Expose-Headers"];
                "Retry-After"?: components["headers"]["Retry-After"];
                Allow?: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                "application/json": Failure;
            };
        };
        /** @description The API key is not known to the service. */
        Unauthorized: {
            headers: {
                "chain-head"?: components["headers"]["chain-head"];
                "X-Request-Id"?: components["headers"]["X-Request-Id"];
                "Cache-Control"?: components["headers"]["Cache-Control"];
                Vary?: components["headers"]["Vary"];
                "Preference-Applied"?: components["headers"]["Preference-Applied"];
                RateLimit?: components["headers"]["RateLimit"];
                "RateLimit-Policy"?: components["headers"]["RateLimit-Policy"];
                "Access-Control-Allow-Origin"?: components["headers"]["Access-Control-Allow-Origin"];
                "Access-Control-Expose-Headers"?: components["headers"]["Access-Control-Expose-Headers"];
                [name: string]: unknown;
            };
            content: {
                "application/json": Failure;
            };
        };
        /** @description The API key is known, but not allowed here, for example because it belongs to another network. */
        Forbidden: {
            headers: {
                "chain-head"?: components["headers"]["chain-head"];
                "X-Request-Id"?: components["headers"]["X-Request-Id"];
                "Cache-Control"?: components["headers"]["Cache-Control"];
                Vary?: components["headers"]["Vary"];
                "Preference-Applied"?: components["headers"]["Preference-Applied"];
                RateLimit?: components["headers"]["RateLimit"];
                "RateLimit-Policy"?: components["headers"]["RateLimit-Policy"];
                "Access-Control-Allow-Origin"?: components["headers"]["Access-Control-Allow-Origin"];
                "Access-Control-Expose-Headers"?: components["headers"]["Access-Control-Expose-Headers"];
                [name: string]: unknown;
            };
            content: {
                "application/json": Failure;
            };
        };
        /** @description Too many requests in too short a time. Without a key, one request per second is served. */
        TooManyRequests: {
            headers: {
                "chain-head"?: components["headers"]["chain-head"];
                "X-Request-Id"?: components["headers"]["X-Request-Id"];
                "Cache-Control"?: components["headers"]["Cache-Control"];
                Vary?: components["headers"]["Vary"];
                "Preference-Applied"?: components["headers"]["Preference-Applied"];
                RateLimit?: components["headers"]["RateLimit"];
                "RateLimit-Policy"?: components["headers"]["RateLimit-Policy"];
                "Access-Control-Allow-Origin"?: components["headers"]["Access-Control-Allow-Origin"];
                "Access-Control-Expose-Headers"?: components["headers"]["Access-Control-Expose-Headers"];
                "Retry-After"?: components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": Failure;
            };
        };
        /** @description The service or its node could not respond. */
        InternalServerError: {
            headers: {
                "chain-head"?: components["headers"]["chain-head"];
                "X-Request-Id"?: components["headers"]["X-Request-Id"];
                "Cache-Control"?: components["headers"]["Cache-Control"];
                Vary?: components["headers"]["Vary"];
                "Preference-Applied"?: components["headers"]["Preference-Applied"];
                RateLimit?: components["headers"]["RateLimit"];
                "RateLimit-Policy"?: components["headers"]["RateLimit-Policy"];
                "Access-Control-Allow-Origin"?: components["headers"]["Access-Control-Allow-Origin"];
                "Access-Control-Expose-Headers"?: components["headers"]["Access-Control-Expose-Headers"];
                [name: string]: unknown;
            };
            content: {
                "application/json": Failure;
            };
        };
        /** @description The node did not respond in time. */
        GatewayTimeout: {
            headers: {
                "chain-head"?: components["headers"]["chain-head"];
                "X-Request-Id"?: components["headers"]["X-Request-Id"];
                "Cache-Control"?: components["headers"]["Cache-Control"];
                Vary?: components["headers"]["Vary"];
                "Preference-Applied"?: components["headers"]["Preference-Applied"];
                RateLimit?: components["headers"]["RateLimit"];
                "RateLimit-Policy"?: components["headers"]["RateLimit-Policy"];
                "Access-Control-Allow-Origin"?: components["headers"]["Access-Control-Allow-Origin"];
                "Access-Control-Expose-Headers"?: components["headers"]["Access-Control-Expose-Headers"];
                "Retry-After"?: components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": Failure;
            };
        };
        /** @description The request is not valid; `input` names the member that is wrong. */
        UnprocessableContent: {
            headers: {
                "chain-head"?: components["headers"]["chain-head"];
                "X-Request-Id"?: components["headers"]["X-Request-Id"];
                "Cache-Control"?: components["headers"]["Cache-Control"];
                Vary?: components["headers"]["Vary"];
                "Preference-Applied"?: components["headers"]["Preference-Applied"];
                RateLimit?: components["headers"]["RateLimit"];
                "RateLimit-Policy"?: components["headers"]["RateLimit-Policy"];
                "Access-Control-Allow-Origin"?: components["headers"]["Access-Control-Allow-Origin"];
                "Access-Control-Expose-Headers"?: components["headers"]["Access-Control-Expose-Headers"];
                [name: string]: unknown;
            };
            content: {
                "application/json": Failure;
            };
        };
        /** @description The response that the caller has under the ETag in If-None-Match is still right. */
        NotModified: {
            headers: {
                "chain-head"?: components["headers"]["chain-head"];
                "X-Request-Id"?: components["headers"]["X-Request-Id"];
                "Cache-Control"?: components["headers"]["Cache-Control"];
                Vary?: components["headers"]["Vary"];
                "Preference-Applied"?: components["headers"]["Preference-Applied"];
                RateLimit?: components["headers"]["RateLimit"];
                "RateLimit-Policy"?: components["headers"]["RateLimit-Policy"];
                "Access-Control-Allow-Origin"?: components["headers"]["Access-Control-Allow-Origin"];
                "Access-Control-Expose-Headers"?: components["headers"]["Access-Control-Expose-Headers"];
                ETag?: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: {
        /**
         * @description Sequence number of the masterchain block that the response must at least know as its head. Not every deployment reads it.
         * @example 840
         */
        "chain-min-head": number;
        /**
         * @description What the caller would like (RFC 7240). `wait=10` waits up to 10 seconds for the head that chain-min-head names, or for the next block; `proof` asks for the member proof, without the block that the caller has verified if its seqno is in `head`, as in `proof; head=840`, and on getMasterchainInfo with the links from the key block of the seqno in `key`, 0 for the zero state. Preference-Applied repeats what was taken. Not every deployment reads it.
         * @example wait=10
         */
        Prefer: string;
        /**
         * @description The ETag of a response that the caller has; if it is still right, the status is 304 and there is no body.
         * @example "5d41402a"
         */
        "If-None-Match": string;
    };
    requestBodies: never;
    headers: {
        /** @description Sequence number of the masterchain block that was the head for this response. Not every deployment sends it. */
        "chain-head": number;
        /** @description Identifier of the request in the log of the service, to quote in a report. Sent with a status of 500 at least. */
        "X-Request-Id": string;
        /** @description Either `no-store`, or how long a response that no longer changes may be stored. */
        "Cache-Control": string;
        /** @description The request headers on which the response depends. Not every deployment sends it. */
        Vary: string;
        /** @description The preferences of Prefer that were taken. */
        "Preference-Applied": string;
        /** @description What is left of the limit and when it is renewed, by the draft standard for RateLimit fields. Not every deployment sends it. */
        RateLimit: string;
        /** @description The limit that RateLimit is about, by the same draft. Not every deployment sends it. */
        "RateLimit-Policy": string;
        /** @description The origins whose pages may call, `*` for all. */
        "Access-Control-Allow-Origin": string;
        /** @description The headers that pages of other origins may read. */
        "Access-Control-Expose-Headers": string;
        /** @description Whole seconds to wait before the next request. Not every deployment sends it. */
        "Retry-After": number;
        /** @description The methods of the path, with a status of 405. */
        Allow: string;
        /** @description Identifier of the content, for If-None-Match. Only a response that no longer changes may have it. */
        ETag: string;
    };
    pathItems: never;
}
export interface operations {
    getAddressInformation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Sequence number of the masterchain block that the response must at least know as its head. Not every deployment reads it.
                 * @example 840
                 */
                "chain-min-head"?: components["parameters"]["chain-min-head"];
                /**
                 * @description What the caller would like (RFC 7240). `wait=10` waits up to 10 seconds for the head that chain-min-head names, or for the next block; `proof` asks for the member proof, without the block that the caller has verified if its seqno is in `head`, as in `proof; head=840`, and on getMasterchainInfo with the links from the key block of the seqno in `key`, 0 for the zero state. Preference-Applied repeats what was taken. Not every deployment reads it.
                 * @example wait=10
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The body names the account to read, and the block as of which to read it. */
        requestBody: {
            content: {
                "application/json": GetAddressInformationRequest;
            };
        };
        responses: {
            /** @description The state of the account. */
            200: {
                headers: {
                    "chain-head"?: components["headers"]["chain-head"];
                    "X-Request-Id"?: components["headers"]["X-Request-Id"];
                    "Cache-Control"?: components["headers"]["Cache-Control"];
                    Vary?: components["headers"]["Vary"];
                    "Preference-Applied"?: components["headers"]["Preference-Applied"];
                    RateLimit?: components["headers"]["RateLimit"];
                    "RateLimit-Policy"?: components["headers"]["RateLimit-Policy"];
                    "Access-Control-Allow-Origin"?: components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers"?: components["headers"]["Access-Control-Expose-Headers"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": GetAddressInformationEnvelope;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The request is not valid; `input` names the member that is wrong. */
            422: {
                headers: {
                    "chain-head"?: components["headers"]["chain-head"];
                    "X-Request-Id"?: components["headers"]["X-Request-Id"];
                    "Cache-Control"?: components["headers"]["Cache-Control"];
                    Vary?: components["headers"]["Vary"];
                    "Preference-Applied"?: components["headers"]["Preference-Applied"];
                    RateLimit?: components["headers"]["RateLimit"];
                    "RateLimit-Policy"?: components["headers"]["RateLimit-Policy"];
                    "Access-Control-Allow-Origin"?: components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers"?: components["headers"]["Access-Control-Expose-Headers"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Failure;
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["UnexpectedFailure"];
        };
    };
    getConsensusBlock: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Sequence number of the masterchain block that the response must at least know as its head. Not every deployment reads it.
                 * @example 840
                 */
                "chain-min-head"?: components["parameters"]["chain-min-head"];
                /**
                 * @description What the caller would like (RFC 7240). `wait=10` waits up to 10 seconds for the head that chain-min-head names, or for the next block; `proof` asks for the member proof, without the block that the caller has verified if its seqno is in `head`, as in `proof; head=840`, and on getMasterchainInfo with the links from the key block of the seqno in `key`, 0 for the zero state. Preference-Applied repeats what was taken. Not every deployment reads it.
                 * @example wait=10
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The body is an empty JSON object. */
        requestBody: {
            content: {
                "application/json": EmptyRequest;
            };
        };
        responses: {
            /** @description The latest consensus block. */
            200: {
                headers: {
                    "chain-head"?: components["headers"]["chain-head"];
                    "X-Request-Id"?: components["headers"]["X-Request-Id"];
                    "Cache-Control"?: components["headers"]["Cache-Control"];
                    Vary?: components["headers"]["Vary"];
                    "Preference-Applied"?: components["headers"]["Preference-Applied"];
                    RateLimit?: components["headers"]["RateLimit"];
                    "RateLimit-Policy"?: components["headers"]["RateLimit-Policy"];
                    "Access-Control-Allow-Origin"?: components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers"?: components["headers"]["Access-Control-Expose-Headers"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": GetConsensusBlockEnvelope;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["UnexpectedFailure"];
        };
    };
    getMasterchainInfo: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Sequence number of the masterchain block that the response must at least know as its head. Not every deployment reads it.
                 * @example 840
                 */
                "chain-min-head"?: components["parameters"]["chain-min-head"];
                /**
                 * @description What the caller would like (RFC 7240). `wait=10` waits up to 10 seconds for the head that chain-min-head names, or for the next block; `proof` asks for the member proof, without the block that the caller has verified if its seqno is in `head`, as in `proof; head=840`, and on getMasterchainInfo with the links from the key block of the seqno in `key`, 0 for the zero state. Preference-Applied repeats what was taken. Not every deployment reads it.
                 * @example wait=10
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The head of the masterchain. */
            200: {
                headers: {
                    "chain-head"?: components["headers"]["chain-head"];
                    "X-Request-Id"?: components["headers"]["X-Request-Id"];
                    "Cache-Control"?: components["headers"]["Cache-Control"];
                    Vary?: components["headers"]["Vary"];
                    "Preference-Applied"?: components["headers"]["Preference-Applied"];
                    RateLimit?: components["headers"]["RateLimit"];
                    "RateLimit-Policy"?: components["headers"]["RateLimit-Policy"];
                    "Access-Control-Allow-Origin"?: components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers"?: components["headers"]["Access-Control-Expose-Headers"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": GetMasterchainInfoEnvelope;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["UnexpectedFailure"];
        };
    };
    getOutMsgQueueSize: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Sequence number of the masterchain block that the response must at least know as its head. Not every deployment reads it.
                 * @example 840
                 */
                "chain-min-head"?: components["parameters"]["chain-min-head"];
                /**
                 * @description What the caller would like (RFC 7240). `wait=10` waits up to 10 seconds for the head that chain-min-head names, or for the next block; `proof` asks for the member proof, without the block that the caller has verified if its seqno is in `head`, as in `proof; head=840`, and on getMasterchainInfo with the links from the key block of the seqno in `key`, 0 for the zero state. Preference-Applied repeats what was taken. Not every deployment reads it.
                 * @example wait=10
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The body is an empty JSON object. */
        requestBody: {
            content: {
                "application/json": EmptyRequest;
            };
        };
        responses: {
            /** @description The sizes of the queues. */
            200: {
                headers: {
                    "chain-head"?: components["headers"]["chain-head"];
                    "X-Request-Id"?: components["headers"]["X-Request-Id"];
                    "Cache-Control"?: components["headers"]["Cache-Control"];
                    Vary?: components["headers"]["Vary"];
                    "Preference-Applied"?: components["headers"]["Preference-Applied"];
                    RateLimit?: components["headers"]["RateLimit"];
                    "RateLimit-Policy"?: components["headers"]["RateLimit-Policy"];
                    "Access-Control-Allow-Origin"?: components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers"?: components["headers"]["Access-Control-Expose-Headers"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": GetOutMsgQueueSizeEnvelope;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["UnexpectedFailure"];
        };
    };
    getTransactionsStd: {
        parameters: {
            query: {
                /**
                 * @description Address of the account, in raw or user-friendly form.
                 * @example EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi
                 */
                address: string;
                /**
                 * @description Number of transactions to return at most.
                 * @example 2
                 */
                limit?: number;
                /**
                 * @description Logical time of the transaction to start from, a decimal string, given together with hash. The lt of last_transaction_id starts at the most recent one; the lt of previous_transaction_id starts the next page.
                 * @example 1555000001
                 */
                lt?: string;
                /**
                 * @description Hash of the transaction to start from, given together with lt, as hexadecimal (64 characters) or base64 (44 characters).
                 * @example pj1g6I7IDFnNGP059rOCFkgXw7wMaVQ/CODGnNb0oeU=
                 */
                hash?: string;
                /**
                 * @description Logical time to stop at, a decimal string; transactions with this lt or a lower one are left out. 0 bounds nothing.
                 * @example 0
                 */
                to_lt?: string;
                /**
                 * @description Whether to ask nodes that keep the whole history, for transactions older than about two days; such requests may be slower.
                 * @example false
                 */
                archival?: boolean;
            };
            header?: {
                /**
                 * @description Sequence number of the masterchain block that the response must at least know as its head. Not every deployment reads it.
                 * @example 840
                 */
                "chain-min-head"?: components["parameters"]["chain-min-head"];
                /**
                 * @description What the caller would like (RFC 7240). `wait=10` waits up to 10 seconds for the head that chain-min-head names, or for the next block; `proof` asks for the member proof, without the block that the caller has verified if its seqno is in `head`, as in `proof; head=840`, and on getMasterchainInfo with the links from the key block of the seqno in `key`, 0 for the zero state. Preference-Applied repeats what was taken. Not every deployment reads it.
                 * @example wait=10
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description The ETag of a response that the caller has; if it is still right, the status is 304 and there is no body.
                 * @example "5d41402a"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the history. */
            200: {
                headers: {
                    "chain-head"?: components["headers"]["chain-head"];
                    "X-Request-Id"?: components["headers"]["X-Request-Id"];
                    "Cache-Control"?: components["headers"]["Cache-Control"];
                    Vary?: components["headers"]["Vary"];
                    "Preference-Applied"?: components["headers"]["Preference-Applied"];
                    RateLimit?: components["headers"]["RateLimit"];
                    "RateLimit-Policy"?: components["headers"]["RateLimit-Policy"];
                    "Access-Control-Allow-Origin"?: components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers"?: components["headers"]["Access-Control-Expose-Headers"];
                    ETag?: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": GetTransactionsStdEnvelope;
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The request is not valid; `input` names the member that is wrong. */
            422: {
                headers: {
                    "chain-head"?: components["headers"]["chain-head"];
                    "X-Request-Id"?: components["headers"]["X-Request-Id"];
                    "Cache-Control"?: components["headers"]["Cache-Control"];
                    Vary?: components["headers"]["Vary"];
                    "Preference-Applied"?: components["headers"]["Preference-Applied"];
                    RateLimit?: components["headers"]["RateLimit"];
                    "RateLimit-Policy"?: components["headers"]["RateLimit-Policy"];
                    "Access-Control-Allow-Origin"?: components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers"?: components["headers"]["Access-Control-Expose-Headers"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Failure;
                };
            };
            429: components["responses"]["TooManyRequests"];
            /** @description The node could not respond, for example because its history does not reach back so far. */
            500: {
                headers: {
                    "chain-head"?: components["headers"]["chain-head"];
                    "X-Request-Id"?: components["headers"]["X-Request-Id"];
                    "Cache-Control"?: components["headers"]["Cache-Control"];
                    Vary?: components["headers"]["Vary"];
                    "Preference-Applied"?: components["headers"]["Preference-Applied"];
                    RateLimit?: components["headers"]["RateLimit"];
                    "RateLimit-Policy"?: components["headers"]["RateLimit-Policy"];
                    "Access-Control-Allow-Origin"?: components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers"?: components["headers"]["Access-Control-Expose-Headers"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Failure;
                };
            };
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["UnexpectedFailure"];
        };
    };
    lookupBlock: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Sequence number of the masterchain block that the response must at least know as its head. Not every deployment reads it.
                 * @example 840
                 */
                "chain-min-head"?: components["parameters"]["chain-min-head"];
                /**
                 * @description What the caller would like (RFC 7240). `wait=10` waits up to 10 seconds for the head that chain-min-head names, or for the next block; `proof` asks for the member proof, without the block that the caller has verified if its seqno is in `head`, as in `proof; head=840`, and on getMasterchainInfo with the links from the key block of the seqno in `key`, 0 for the zero state. Preference-Applied repeats what was taken. Not every deployment reads it.
                 * @example wait=10
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The body names the chain to search, and what to find the block by. */
        requestBody: {
            content: {
                "application/json": LookupBlockRequest;
            };
        };
        responses: {
            /** @description The identifier of the block. */
            200: {
                headers: {
                    "chain-head"?: components["headers"]["chain-head"];
                    "X-Request-Id"?: components["headers"]["X-Request-Id"];
                    "Cache-Control"?: components["headers"]["Cache-Control"];
                    Vary?: components["headers"]["Vary"];
                    "Preference-Applied"?: components["headers"]["Preference-Applied"];
                    RateLimit?: components["headers"]["RateLimit"];
                    "RateLimit-Policy"?: components["headers"]["RateLimit-Policy"];
                    "Access-Control-Allow-Origin"?: components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers"?: components["headers"]["Access-Control-Expose-Headers"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": LookupBlockEnvelope;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such block, or not yet. */
            404: {
                headers: {
                    "chain-head"?: components["headers"]["chain-head"];
                    "X-Request-Id"?: components["headers"]["X-Request-Id"];
                    "Cache-Control"?: components["headers"]["Cache-Control"];
                    Vary?: components["headers"]["Vary"];
                    "Preference-Applied"?: components["headers"]["Preference-Applied"];
                    RateLimit?: components["headers"]["RateLimit"];
                    "RateLimit-Policy"?: components["headers"]["RateLimit-Policy"];
                    "Access-Control-Allow-Origin"?: components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers"?: components["headers"]["Access-Control-Expose-Headers"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Failure;
                };
            };
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["UnexpectedFailure"];
        };
    };
    tryLocateResultTx: {
        parameters: {
            query: {
                /**
                 * @description Address of the sender, in raw or user-friendly form.
                 * @example 0:46ad41228bf0273f98591e88aea5cfde3d616762109b062122355abaf808e57e
                 */
                source: string;
                /**
                 * @description Address of the recipient, in raw or user-friendly form.
                 * @example EQCzs-U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd-Yz
                 */
                destination: string;
                /**
                 * @description Logical time at which the message was created, a decimal string; it is the created_lt of a message object.
                 * @example 433000002
                 */
                created_lt: string;
            };
            header?: {
                /**
                 * @description Sequence number of the masterchain block that the response must at least know as its head. Not every deployment reads it.
                 * @example 840
                 */
                "chain-min-head"?: components["parameters"]["chain-min-head"];
                /**
                 * @description What the caller would like (RFC 7240). `wait=10` waits up to 10 seconds for the head that chain-min-head names, or for the next block; `proof` asks for the member proof, without the block that the caller has verified if its seqno is in `head`, as in `proof; head=840`, and on getMasterchainInfo with the links from the key block of the seqno in `key`, 0 for the zero state. Preference-Applied repeats what was taken. Not every deployment reads it.
                 * @example wait=10
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description The ETag of a response that the caller has; if it is still right, the status is 304 and there is no body.
                 * @example "5d41402a"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transaction that received the message. */
            200: {
                headers: {
                    "chain-head"?: components["headers"]["chain-head"];
                    "X-Request-Id"?: components["headers"]["X-Request-Id"];
                    "Cache-Control"?: components["headers"]["Cache-Control"];
                    Vary?: components["headers"]["Vary"];
                    "Preference-Applied"?: components["headers"]["Preference-Applied"];
                    RateLimit?: components["headers"]["RateLimit"];
                    "RateLimit-Policy"?: components["headers"]["RateLimit-Policy"];
                    "Access-Control-Allow-Origin"?: components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers"?: components["headers"]["Access-Control-Expose-Headers"];
                    ETag?: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": TryLocateResultTxEnvelope;
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No transaction that received the message is known; `reason` says whether the message does not exist or is not yet processed. */
            404: {
                headers: {
                    "chain-head"?: components["headers"]["chain-head"];
                    "X-Request-Id"?: components["headers"]["X-Request-Id"];
                    "Cache-Control"?: components["headers"]["Cache-Control"];
                    Vary?: components["headers"]["Vary"];
                    "Preference-Applied"?: components["headers"]["Preference-Applied"];
                    RateLimit?: components["headers"]["RateLimit"];
                    "RateLimit-Policy"?: components["headers"]["RateLimit-Policy"];
                    "Access-Control-Allow-Origin"?: components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers"?: components["headers"]["Access-Control-Expose-Headers"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Failure;
                };
            };
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["UnexpectedFailure"];
        };
    };
    tryLocateSourceTx: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Sequence number of the masterchain block that the response must at least know as its head. Not every deployment reads it.
                 * @example 840
                 */
                "chain-min-head"?: components["parameters"]["chain-min-head"];
                /**
                 * @description What the caller would like (RFC 7240). `wait=10` waits up to 10 seconds for the head that chain-min-head names, or for the next block; `proof` asks for the member proof, without the block that the caller has verified if its seqno is in `head`, as in `proof; head=840`, and on getMasterchainInfo with the links from the key block of the seqno in `key`, 0 for the zero state. Preference-Applied repeats what was taken. Not every deployment reads it.
                 * @example wait=10
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The body identifies the message to start from. */
        requestBody: {
            content: {
                "application/json": TryLocateSourceTxRequest;
            };
        };
        responses: {
            /** @description The transaction that sent the message. */
            200: {
                headers: {
                    "chain-head"?: components["headers"]["chain-head"];
                    "X-Request-Id"?: components["headers"]["X-Request-Id"];
                    "Cache-Control"?: components["headers"]["Cache-Control"];
                    Vary?: components["headers"]["Vary"];
                    "Preference-Applied"?: components["headers"]["Preference-Applied"];
                    RateLimit?: components["headers"]["RateLimit"];
                    "RateLimit-Policy"?: components["headers"]["RateLimit-Policy"];
                    "Access-Control-Allow-Origin"?: components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers"?: components["headers"]["Access-Control-Expose-Headers"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": TryLocateSourceTxEnvelope;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No transaction that sent the message is known. */
            404: {
                headers: {
                    "chain-head"?: components["headers"]["chain-head"];
                    "X-Request-Id"?: components["headers"]["X-Request-Id"];
                    "Cache-Control"?: components["headers"]["Cache-Control"];
                    Vary?: components["headers"]["Vary"];
                    "Preference-Applied"?: components["headers"]["Preference-Applied"];
                    RateLimit?: components["headers"]["RateLimit"];
                    "RateLimit-Policy"?: components["headers"]["RateLimit-Policy"];
                    "Access-Control-Allow-Origin"?: components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers"?: components["headers"]["Access-Control-Expose-Headers"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Failure;
                };
            };
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["UnexpectedFailure"];
        };
    };
}
