/** Where the chain of the examples ends. It makes a block of each shard at a steady pace, which two known blocks give. */
import { type DocumentedExample, type OperationId, operationsById } from "@chain-query/openapi/operations";
import type { RequestInputs } from "@chain-query/openapi/requests";
import type { Inputs } from "./documented.ts";

interface BlockId {
  readonly workchain: number;
  readonly shard: string;
  readonly seqno: number;
}

const masterchainHead = resultOf<{ last: BlockId }>("getMasterchainInfo", "head").last.seqno;
const headTime = resultOf<{ timestamp: number }>("getConsensusBlock", "current").timestamp;
/** The latest block of each shard, at the head. */
const heads = resultOf<{ shards: { id: BlockId }[] }>("getOutMsgQueueSize", "backlog").shards.map(({ id }) => id);
const startOfNext = startOf(masterchainHead + 1);

/** Why the head is not reached yet by a request, such as `seqno 841 is past the head, 840`; undefined if it is. */
export function pastHead(operationId: OperationId, inputs: Inputs): string | undefined {
  if (operationId === "getAddressInformation") {
    const { seqno } = inputs as RequestInputs["getAddressInformation"];
    return seqno !== undefined && seqno > masterchainHead ? `seqno ${seqno} is past the head, ${masterchainHead}` : undefined;
  }
  if (operationId !== "lookupBlock") return undefined;
  const { workchain, shard, seqno, lt, unixtime } = inputs as RequestInputs["lookupBlock"];
  const known = heads.find((id) => id.workchain === workchain && id.shard === String(shard));
  const head = known?.seqno ?? masterchainHead;
  if (seqno !== undefined) return seqno > head ? `seqno ${seqno} is past the head, ${head}` : undefined;
  if (lt !== undefined) return lt >= startOfNext ? `lt ${lt} is past the head, ${head}` : undefined;
  return unixtime !== undefined && unixtime > headTime ? `unixtime ${unixtime} is past the head, ${head}` : undefined;
}

/** The first logical time of the block of any shard with a seqno. */
function startOf(seqno: number): bigint {
  const then = resultOf<{ block_id: BlockId; last_transaction_id: { lt: string } }>("getAddressInformation", "as-of-block");
  const found = resultOf<BlockId>("lookupBlock", "by-lt");
  const lt = BigInt(String(exampleOf("lookupBlock", "by-lt").request.body?.["lt"]));
  const pace = (lt - BigInt(then.last_transaction_id.lt)) / BigInt(found.seqno - then.block_id.seqno);
  // The first transaction of a block has its first logical time plus 1.
  return lt - 1n + pace * BigInt(seqno - found.seqno);
}

function exampleOf(operationId: OperationId, condition: string): DocumentedExample {
  const found = operationsById[operationId].examples.find((one) => one.condition === condition);
  if (found === undefined) throw new Error(`the contract has no example ${operationId}.${condition}`);
  return found;
}

function resultOf<Result>(operationId: OperationId, condition: string): Result {
  return exampleOf(operationId, condition).response.body["result"] as Result;
}
