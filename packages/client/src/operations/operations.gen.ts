/** Generated from @chain-query/openapi by `pnpm generate`. Do not edit: change the contract. */

/** Method, inputs and their checks of each operation, and how many inputs are required: the first; the path, unless it is /api/v2/ and the operation. */
export const operations = {
  getAddressInformation: {"method":"POST","members":{"address":"string","seqno":["decimal",1,4294967295]},"required":1},
  getConsensusBlock: {"method":"POST","members":{}},
  getMasterchainInfo: {"method":"GET","members":{}},
  getOutMsgQueueSize: {"method":"POST","members":{}},
  getTransactionsStd: {"method":"GET","members":{"address":"string","limit":["number",1,1000],"lt":["decimal",0],"hash":"string","toLt":["decimal",0],"archival":"boolean"},"required":1},
  lookupBlock: {"method":"POST","members":{"workchain":["number",-2147483648,2147483647],"shard":["decimal"],"seqno":["number",1,4294967295],"lt":["decimal",0],"unixtime":["number",0,4294967295]},"required":2,"oneOf":["seqno","lt","unixtime"]},
  tryLocateResultTx: {"method":"GET","members":{"source":"string","destination":"string","createdLt":["decimal",0]},"required":3},
  tryLocateSourceTx: {"method":"POST","members":{"source":"string","destination":"string","createdLt":["decimal",0]},"required":3},
} as const;

/** Members of responses that hold a decimal string: logical times, shards and amounts. */
export const bigintMembers = ["amount","balance","created_lt","fee","fwd_fee","ihr_fee","lt","other_fee","shard","storage_fee","value"] as const;
