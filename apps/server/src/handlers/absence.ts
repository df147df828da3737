import type { ChainSource } from "../chain-source.ts";

/** Why a message is not there: nobody can know yet what will be sent at a logical time that is still to come (D-19). */
export async function absence(createdLt: bigint, source: ChainSource): Promise<string> {
  const { block } = await source.head();
  return createdLt < block.endLt
    ? "the source account sent no such message"
    : "created_lt is past the head, so that such a message may still be sent";
}
