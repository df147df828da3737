/** Generated from @chain-query/openapi by `pnpm generate`. Do not edit: change the contract. */

/** What the client knows of each operation: where it is, what it takes, and how each input is checked. */
export const operations = {
  getAddressInformation: {"method":"post","path":"/api/v2/getAddressInformation","members":{"address":"string","seqno":["decimal",1,4294967295]},"required":["address"]},
  getConsensusBlock: {"method":"post","path":"/api/v2/getConsensusBlock","members":{}},
  getMasterchainInfo: {"method":"get","path":"/api/v2/getMasterchainInfo","members":{}},
  getOutMsgQueueSize: {"method":"post","path":"/api/v2/getOutMsgQueueSize","members":{}},
  getTransactionsStd: {"method":"get","path":"/api/v2/getTransactionsStd","members":{"address":"string","limit":["number",1,1000],"lt":["decimal",0],"hash":"string","toLt":["decimal",0],"archival":"boolean"},"required":["address"]},
  lookupBlock: {"method":"post","path":"/api/v2/lookupBlock","members":{"workchain":["number",-2147483648,2147483647],"shard":["decimal"],"seqno":["number",1,4294967295],"lt":["decimal",0],"unixtime":["number",0,4294967295]},"required":["workchain","shard"],"oneOf":["seqno","lt","unixtime"]},
  tryLocateResultTx: {"method":"get","path":"/api/v2/tryLocateResultTx","members":{"source":"string","destination":"string","createdLt":["decimal",0]},"required":["source","destination","createdLt"]},
  tryLocateSourceTx: {"method":"post","path":"/api/v2/tryLocateSourceTx","members":{"source":"string","destination":"string","createdLt":["decimal",0]},"required":["source","destination","createdLt"]},
} as const;

/** Members of answers that hold a 64-bit integer as a decimal string. */
export const int64Members = ["created_lt","lt","shard"] as const;
