/** A local chain, its index in PostgreSQL and readers of both, for the tests of a file. */
import type { AccountId, Transaction } from "@chain-query/chain-store";
import { type ChainReader, openChain } from "@chain-query/local-chain";
import { type MadeChainOptions, madeChain } from "@chain-query/local-chain/testing";
import type { PostgresConnection, PostgresReader } from "../src/index.ts";
import { newIndex, openPatientReader } from "./indexes.ts";
import { accountsOf, DAYS, type ProducedSteps, producedSteps } from "./produced-steps.ts";

export const STEPS: number = DAYS.steps;

export interface ReadChain extends AsyncDisposable {
  readonly chain: ChainReader;
  readonly steps: ProducedSteps;
  readonly reader: PostgresReader;
  readonly connection: PostgresConnection;
  /** Every account that any message names. */
  readonly accounts: readonly AccountId[];
  /** The transactions of these accounts. */
  readonly transactions: readonly Transaction[];
}

export async function startReadChain(options: MadeChainOptions = DAYS): Promise<ReadChain> {
  const [chain, steps] = [openChain(await madeChain(options)), await producedSteps(options)];
  const connection = await newIndex(steps);
  const reader = openPatientReader(connection);
  const accounts = await accountsOf(steps);
  const transactions = accounts.flatMap((account) => [...chain.transactions(account)]);
  return {
    ...{ chain, steps, reader, connection, accounts, transactions },
    async [Symbol.asyncDispose]() {
      await reader.close();
      await chain.close();
    },
  };
}
