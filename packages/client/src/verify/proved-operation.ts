/** An operation whose result is as of the head. */
export type ProvedOperation =
  | "getAddressInformation"
  | "getConsensusBlock"
  | "getMasterchainInfo"
  | "getOutMsgQueueSize"
  | "lookupBlock"
  | "tryLocateResultTx"
  | "tryLocateSourceTx";
