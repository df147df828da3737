/** Indexes of made chains in PostgreSQL, and services on them. */
import { createHash } from "node:crypto";
import { chainSteps, openChain } from "@chain-query/local-chain";
import { type MadeChainOptions, madeChain } from "@chain-query/local-chain/testing";
import { toRawAddress } from "@chain-query/openapi/address";
import { FROZEN, SMALL } from "@chain-query/testing/chains";
import type { PostgresDatabases } from "@chain-query/testing/services";
import { accountsOf } from "../../bench/requests.ts";
import { resultOf } from "../fixtures/ask.ts";
import { startService, type TestService } from "../fixtures/service.ts";
import { type IndexOfChain, indexOf } from "./index-of-chain.ts";

/** A small chain. */
export const smallChain: MadeChainOptions = SMALL;
/** A chain in four shards. Accounts freeze because a block is made once a day, and small blocks let messages wait. */
export const frozenChain: MadeChainOptions = FROZEN;

/** What an index has. */
export interface IndexExtent {
  /** The last step. Default: the chain's. */
  readonly last?: number;
  /** Steps of a partition. */
  readonly partition?: number;
}

/** Makes a database with an index of a chain. Equal ones are copies of a template. */
export async function indexedDatabase(
  server: PostgresDatabases,
  chain: MadeChainOptions,
  { last = chain.steps, partition }: IndexExtent = {},
): Promise<string> {
  const contents = createHash("sha256")
    .update(JSON.stringify([chain, last, partition]))
    .digest("hex");
  return server.createDatabase({
    name: `index_${contents.slice(0, 32)}`,
    async fill(url) {
      await using _ = await indexOf(chainSteps(await madeChain(chain)), url, last, partition);
    },
  });
}

/** Goes on with the index of a chain. It grows one step at a time, as if the chain did. */
export async function growingIndex(url: string, chain: MadeChainOptions, head: number): Promise<IndexOfChain> {
  return indexOf(chainSteps(await madeChain(chain)), url, head);
}

/** The account of a chain with the longest history. */
export async function busiestOf(chain: MadeChainOptions): Promise<string> {
  const reader = openChain(await madeChain(chain));
  const accounts = accountsOf(reader).map((account) => ({ account, length: [...reader.transactions(account)].length }));
  await reader.close();
  return toRawAddress(accounts.reduce((one, other) => (other.length > one.length ? other : one)).account);
}

/** Starts the service on a database and its replicas. */
export function serviceOn(primary: string, ...replicas: string[]): Promise<TestService> {
  return startService({ source: { kind: "index", primary, replicas, archive: undefined } });
}

/** The newest masterchain block that a service answers with. */
export async function headOf(url: string): Promise<number> {
  return (await resultOf(url, "getMasterchainInfo")).last.seqno;
}
