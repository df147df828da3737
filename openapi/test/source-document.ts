/**
 * The operations of the source document, kept by hand. The contract must agree with this table, and a change of the contract does not
 * change it. Types are those of JSON; a resource is called by its name.
 */

export interface DocumentedField {
  type: string;
  required: boolean;
  default?: unknown;
}

interface DocumentedOperation {
  method: "get" | "post";
  path: string;
  /** Members of the body of a POST, query parameters of a GET. */
  input: Record<string, DocumentedField>;
  result: string;
}

const required = (type: string): DocumentedField => ({ type, required: true });
const optional = (type: string, byDefault?: unknown): DocumentedField =>
  byDefault === undefined ? { type, required: false } : { type, required: false, default: byDefault };

const message = { source: required("string"), destination: required("string"), created_lt: required("string") };

export const documentedOperations: Record<string, DocumentedOperation> = {
  tryLocateSourceTx: { method: "post", path: "/api/v2/tryLocateSourceTx", input: message, result: "ext.transaction" },
  getAddressInformation: {
    method: "post",
    path: "/api/v2/getAddressInformation",
    input: { address: required("string"), seqno: optional("string") },
    result: "raw.fullAccountState",
  },
  tryLocateResultTx: { method: "get", path: "/api/v2/tryLocateResultTx", input: message, result: "ext.transaction" },
  getOutMsgQueueSize: { method: "post", path: "/api/v2/getOutMsgQueueSize", input: {}, result: "blocks.outMsgQueueSizes" },
  getTransactionsStd: {
    method: "get",
    path: "/api/v2/getTransactionsStd",
    input: {
      address: required("string"),
      limit: optional("integer", 10),
      lt: optional("string"),
      hash: optional("string"),
      to_lt: optional("string", "0"),
      archival: optional("boolean", false),
    },
    // The document shows no result here: D-13.
    result: "raw.transactions",
  },
  lookupBlock: {
    method: "post",
    path: "/api/v2/lookupBlock",
    // The document gives no types here: D-11.
    input: {
      workchain: required("integer|string"),
      shard: required("integer|string"),
      seqno: optional("integer|string"),
      lt: optional("integer|string"),
      unixtime: optional("integer|string"),
    },
    result: "chain.blockIdExt",
  },
  getMasterchainInfo: { method: "get", path: "/api/v2/getMasterchainInfo", input: {}, result: "blocks.masterchainInfo" },
  getConsensusBlock: { method: "post", path: "/api/v2/getConsensusBlock", input: {}, result: "ext.blocks.consensusBlock" },
};

/** The resources' fields and types, without `@type`, which the document shows on the block identifier only: D-02. */
export const documentedResources: Record<string, Record<string, string>> = {
  "chain.blockIdExt": { workchain: "integer", shard: "string", seqno: "integer", root_hash: "string", file_hash: "string" },
  "internal.transactionId": { lt: "string", hash: "string" },
  accountAddress: { account_address: "string" },
  extraCurrency: { id: "integer", amount: "string" },
  "msg.dataRaw": { body: "string", init_state: "string" },
  "ext.message": {
    hash: "string",
    source: "string",
    destination: "string",
    value: "string",
    extra_currencies: "array of extraCurrency",
    fwd_fee: "string",
    ihr_fee: "string",
    created_lt: "string",
    body_hash: "string",
    msg_data: "msg.dataRaw",
    message: "string",
    message_decode_error: "string",
  },
  "ext.transaction": {
    address: "accountAddress",
    account: "string",
    utime: "integer",
    data: "string",
    transaction_id: "internal.transactionId",
    fee: "string",
    storage_fee: "string",
    other_fee: "string",
    out_msgs: "array of ext.message",
    in_msg: "ext.message",
  },
  "raw.fullAccountState": {
    balance: "string",
    extra_currencies: "array of extraCurrency",
    last_transaction_id: "internal.transactionId",
    block_id: "chain.blockIdExt",
    code: "string",
    data: "string",
    frozen_hash: "string",
    sync_utime: "integer",
    state: "string",
    suspended: "boolean",
  },
  "blocks.outMsgQueueSizes": { shards: "array of blocks.outMsgQueueSize", ext_msg_queue_size_limit: "integer" },
  "blocks.outMsgQueueSize": { id: "chain.blockIdExt", size: "integer" },
  "blocks.masterchainInfo": { last: "chain.blockIdExt", state_root_hash: "string", init: "chain.blockIdExt" },
  "ext.blocks.consensusBlock": { consensus_block: "integer", timestamp: "integer" },
};

/** The members that a response may lack; the document marks none, and D-29 and the decisions that it names settle it. */
export const optionalMembers: string[] = ["in_msg", "message", "message_decode_error", "suspended"];
