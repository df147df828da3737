/** A local chain and its index in a PostgreSQL of its own, for the tests of a file. */
import { join } from "node:path";
import { type ChainReader, chainSteps, createChain, openChain, openProducer, type Producer } from "@chain-query/local-chain";
import { toRawAddress } from "@chain-query/openapi/address";
import { type PostgresServer, startPostgres } from "@chain-query/test-services";
import { accountsOf } from "../../bench/requests.ts";
import { resultOf } from "../fixtures/ask.ts";
import { startService, type TestService, temporaryFolder } from "../fixtures/service.ts";
import { type IndexOfChain, indexOf } from "./index-of-chain.ts";

/** A chain that can grow, and its index. */
export interface IndexedChain extends AsyncDisposable {
  /** A folder that is removed at the end. */
  readonly path: string;
  readonly chain: string;
  readonly producer: Producer;
  readonly reader: ChainReader;
  readonly server: PostgresServer;
  readonly index: IndexOfChain;
  /** The account with the longest history. */
  busiest(): string;
}

/** Makes the chain and its index. */
export async function startIndexedChain(): Promise<IndexedChain> {
  const folder = temporaryFolder();
  const chain = join(folder.path, "chain");
  await createChain(chain, { seed: 5, accounts: 30, rate: 8, blockInterval: 5 });
  const producer = await openProducer(chain);
  await producer.steps(Array.from({ length: 15 }, () => ({})));
  const reader = openChain(chain);
  const server = await startPostgres();
  const index = await indexOf(chainSteps(chain), await server.createDatabase());
  return {
    path: folder.path,
    chain,
    producer,
    reader,
    server,
    index,
    busiest() {
      const accounts = accountsOf(reader).map((account) => ({ account, length: [...reader.transactions(account)].length }));
      return toRawAddress(accounts.reduce((one, other) => (other.length > one.length ? other : one)).account);
    },
    async [Symbol.asyncDispose]() {
      await index[Symbol.asyncDispose]();
      await reader.close();
      await producer.close();
      await server.stop();
      folder[Symbol.dispose]();
    },
  };
}

/** Starts the service on a database and its replicas. */
export function serviceOn(primary: string, ...replicas: string[]): Promise<TestService> {
  return startService({ postgres: { primary, replicas, archive: undefined } });
}

/** The newest masterchain block that a service answers with. */
export async function headOf(url: string): Promise<number> {
  return (await resultOf(url, "getMasterchainInfo")).last.seqno;
}
