/** Generated from @chain-query/openapi by `pnpm generate`. Do not edit: change the contract. */

/** What the client knows of each operation: where it is, what it takes, and how each input is checked. */
export const operations = {
  getAddressInformation: {"method":"post","path":"/api/v2/getAddressInformation","members":{"address":"text","seqno":"natural"},"required":["address"],"oneOf":[]},
  getConsensusBlock: {"method":"post","path":"/api/v2/getConsensusBlock","members":{},"required":[],"oneOf":[]},
  getMasterchainInfo: {"method":"get","path":"/api/v2/getMasterchainInfo","members":{},"required":[],"oneOf":[]},
  getOutMsgQueueSize: {"method":"post","path":"/api/v2/getOutMsgQueueSize","members":{},"required":[],"oneOf":[]},
  getTransactionsStd: {"method":"get","path":"/api/v2/getTransactionsStd","members":{"address":"text","limit":"integer","lt":"natural","hash":"text","to_lt":"natural","archival":"flag"},"required":["address"],"oneOf":[]},
  lookupBlock: {"method":"post","path":"/api/v2/lookupBlock","members":{"workchain":"integer","shard":"int64","seqno":"integer","lt":"natural","unixtime":"integer"},"required":["workchain","shard"],"oneOf":["seqno","lt","unixtime"]},
  tryLocateResultTx: {"method":"get","path":"/api/v2/tryLocateResultTx","members":{"source":"text","destination":"text","created_lt":"natural"},"required":["source","destination","created_lt"],"oneOf":[]},
  tryLocateSourceTx: {"method":"post","path":"/api/v2/tryLocateSourceTx","members":{"source":"text","destination":"text","created_lt":"natural"},"required":["source","destination","created_lt"],"oneOf":[]},
} as const;

/** Members of answers that hold a 64-bit integer as a decimal string. */
export const int64Members = ["created_lt","lt","shard"] as const;
