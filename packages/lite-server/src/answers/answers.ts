import { type LiteArguments, type LiteFunction, writeAnswer } from "@chain-query/lite-protocol/tl";
import { CODES, LiteFailure } from "../failure.ts";
import type { LoadedChain } from "../loaded-chain.ts";
import { accountAnswers } from "./accounts.ts";
import type { Answer } from "./answer.ts";
import { blockLookupAnswers } from "./block-lookup.ts";
import { blockTransactionAnswers } from "./block-transactions.ts";
import { blockAnswers } from "./blocks.ts";
import { configAnswers } from "./config.ts";
import { masterchainAnswers } from "./masterchain.ts";
import { queueAnswers } from "./queue-sizes.ts";
import { shardAnswers } from "./shards.ts";
import { transactionAnswers } from "./transactions.ts";

const answers: { readonly [Name in LiteFunction]?: Answer<Name> } = {
  ...masterchainAnswers,
  ...blockAnswers,
  ...blockLookupAnswers,
  ...accountAnswers,
  ...shardAnswers,
  ...transactionAnswers,
  ...blockTransactionAnswers,
  ...queueAnswers,
  ...configAnswers,
};

/**
 * Answers a call in TL.
 *
 * @throws LiteFailure for what the server refuses.
 */
export function answerCall<Name extends LiteFunction>(
  chain: LoadedChain,
  { name, args }: { readonly name: Name; readonly args: LiteArguments<Name> },
): Uint8Array {
  const answer: Answer<Name> | undefined = answers[name];
  if (!answer) throw new LiteFailure(CODES.unknownFunction, `unknown function ${name}`);
  return writeAnswer(name, answer(chain, args));
}
