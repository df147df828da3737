/** The chain of the documentation's examples. The service makes it at the first start, since LMDB's pages depend on the machine. */
import { operationsById } from "@chain-query/openapi/operations";
import type { ResultOf } from "@chain-query/types";
import type { ChainSource } from "../chain-source.ts";

const { last, init } = documentedHead();

/** What a chain lacks of the documented history, in words for anyone; undefined on other chains, and if it has all. */
export async function missingHistory(source: ChainSource, seqno: number): Promise<string | undefined> {
  if (seqno >= last.seqno) return undefined;
  const { block } = await source.genesis();
  if (Buffer.from(block.rootHash).toString("base64") !== init.root_hash) return undefined;
  return `the documented history is being made: block ${seqno} of ${last.seqno}; documented accounts may be empty until then`;
}

function documentedHead(): ResultOf<"getMasterchainInfo"> {
  const example = operationsById.getMasterchainInfo.examples.find(({ condition }) => condition === "head");
  if (example === undefined) throw new TypeError("the contract has no example of the head");
  return (example.response.body as { readonly result: ResultOf<"getMasterchainInfo"> }).result;
}
