/** Generated from @chain-query/openapi by `pnpm generate`. Do not edit: change the contract. */
import type { OperationId, paths } from "@chain-query/types";

/** Method and path of every operation. */
export const operations: Readonly<Record<OperationId, { method: "get" | "post"; path: keyof paths }>> = {
  getAddressInformation: { method: "post", path: "/api/v2/getAddressInformation" },
  getConsensusBlock: { method: "post", path: "/api/v2/getConsensusBlock" },
  getMasterchainInfo: { method: "get", path: "/api/v2/getMasterchainInfo" },
  getOutMsgQueueSize: { method: "post", path: "/api/v2/getOutMsgQueueSize" },
  getTransactionsStd: { method: "get", path: "/api/v2/getTransactionsStd" },
  lookupBlock: { method: "post", path: "/api/v2/lookupBlock" },
  tryLocateResultTx: { method: "get", path: "/api/v2/tryLocateResultTx" },
  tryLocateSourceTx: { method: "post", path: "/api/v2/tryLocateSourceTx" },
};
