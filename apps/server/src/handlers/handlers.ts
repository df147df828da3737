import type { Handlers } from "@chain-query/types";
import type { Context } from "./context.ts";
import { getAddressInformation } from "./getAddressInformation.ts";
import { getConsensusBlock } from "./getConsensusBlock.ts";
import { getMasterchainInfo } from "./getMasterchainInfo.ts";
import { getOutMsgQueueSize } from "./getOutMsgQueueSize.ts";
import { getTransactionsStd } from "./getTransactionsStd.ts";
import { lookupBlock } from "./lookupBlock.ts";
import { tryLocateResultTx } from "./tryLocateResultTx.ts";
import { tryLocateSourceTx } from "./tryLocateSourceTx.ts";

/** All operations of the contract. One that is missing does not compile. */
export const handlers: Handlers<Context> = {
  getAddressInformation,
  getConsensusBlock,
  getMasterchainInfo,
  getOutMsgQueueSize,
  getTransactionsStd,
  lookupBlock,
  tryLocateResultTx,
  tryLocateSourceTx,
} satisfies Handlers<Context>;
