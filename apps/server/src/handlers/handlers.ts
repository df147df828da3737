import type { RequestInputs } from "@chain-query/openapi/requests";
import type { OperationId, ResultOf } from "@chain-query/types";
import type { Encoded } from "../answers/encoded.ts";
import type { Context } from "./context.ts";
import { getAddressInformation } from "./getAddressInformation.ts";
import { getConsensusBlock } from "./getConsensusBlock.ts";
import { getMasterchainInfo } from "./getMasterchainInfo.ts";
import { getOutMsgQueueSize } from "./getOutMsgQueueSize.ts";
import { getTransactionsStd } from "./getTransactionsStd.ts";
import { lookupBlock } from "./lookupBlock.ts";
import { tryLocateResultTx } from "./tryLocateResultTx.ts";
import { tryLocateSourceTx } from "./tryLocateSourceTx.ts";

/**
 * Answers one operation, with a value of the contract or its JSON.
 *
 * @param signal - Aborts at the deadline of the request, or when the caller has closed the connection.
 * @throws HttpError with the reason if it cannot.
 */
export type Handler<Id extends OperationId> = (
  inputs: RequestInputs[Id],
  context: Context,
  signal: AbortSignal,
) => Promise<ResultOf<Id> | Encoded<ResultOf<Id>>>;

/** The handlers of all operations. A missing one does not compile. */
export const handlers: { readonly [Id in OperationId]: Handler<Id> } = {
  getAddressInformation,
  getConsensusBlock,
  getMasterchainInfo,
  getOutMsgQueueSize,
  getTransactionsStd,
  lookupBlock,
  tryLocateResultTx,
  tryLocateSourceTx,
};
