/** Clients that are made for other gateways, as npm has them, read the service at the one URL that they are given. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { copyMadeChain } from "@chain-query/local-chain/testing";
import { toFriendlyAddress, toRawAddress } from "@chain-query/openapi/address";
import { callPath } from "@chain-query/openapi/json-rpc";
import { FROZEN } from "@chain-query/testing/chains";
import { installTarballs } from "@chain-query/testing/services";
import type { OperationId, Schemas } from "@chain-query/types";
import { Address } from "@ton/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { resultOf } from "./fixtures/ask.ts";
import { startService, temporaryFolder } from "./fixtures/service.ts";
import { type ChainFacts, factsOf } from "./lite/chain-requests.ts";

const packages = { "@ton/ton": "16.3.0", "@ton/core": "0.63.1", "@ton/crypto": "3.3.0", tonweb: "0.0.66" };
/** The clients accept block ids of their own network only. */
const networkName = "ton";

interface TonClient {
  getMasterchainInfo(): Promise<object>;
  getContractState(
    address: object,
  ): Promise<Record<"balance" | "lastTransaction" | "blockId" | "timestampt" | "state", unknown>>;
  getTransactions(address: object, options: object): Promise<{ hash(): Buffer }[]>;
  getTransaction(address: object, lt: string, hash: string): Promise<{ hash(): Buffer } | null>;
  tryLocateResultTx(source: object, destination: object, createdLt: string): Promise<{ hash(): Buffer }>;
  tryLocateSourceTx(source: object, destination: object, createdLt: string): Promise<{ hash(): Buffer }>;
}

interface TonWebProvider {
  send(method: string, params: object): Promise<unknown>;
  getTransactions(
    address: string,
    limit: number,
    ...more: (string | boolean | undefined)[]
  ): Promise<Schemas["ext.transaction"][]>;
}

const resources = new AsyncDisposableStack();
const folder = resources.use(temporaryFolder()).path;
const chain = join(folder, "chain");
let url: string;
let facts: ChainFacts;
let ton: TonClient;
let tonweb: TonWebProvider;

beforeAll(async () => {
  await installTarballs(folder, [], { others: packages, flags: ["--ignore-scripts", "--omit=optional", "--omit=peer"] });
  await copyMadeChain(chain, FROZEN);
  facts = await factsOf(chain);
  url = resources.use(await startService({ deadline: 60, networkName, source: { kind: "chain", folder: chain } })).url;
  const load = createRequire(join(folder, "package.json"));
  const TonClient: new (options: { endpoint: string }) => TonClient = load("@ton/ton").TonClient;
  const TonWeb: { HttpProvider: new (url: string) => TonWebProvider } = load("tonweb");
  ton = new TonClient({ endpoint: url + callPath });
  tonweb = new TonWeb.HttpProvider(url + callPath);
});
afterAll(() => resources.disposeAsync());

/** A message between two accounts, and the account with the longest history. */
function subjects() {
  const message =
    facts.transactions.flatMap(({ inMessage }) => (inMessage?.source ? [inMessage] : []))[0] ?? expect.unreachable();
  const counts = Map.groupBy(facts.transactions, ({ account }) => toRawAddress(account));
  const [busiest = ""] = [...counts].toSorted(([, one], [, other]) => other.length - one.length)[0] ?? [];
  const [source = "", destination = ""] = [message.source, message.destination].map((one) => one && toFriendlyAddress(one));
  return { address: toFriendlyAddress(busiest), source, destination, createdLt: String(message.createdLt) };
}

const located = ({ source, destination, created_lt }: Schemas["ext.message"]) => ({ source, destination, created_lt });
const base64 = (hash: Uint8Array) => Buffer.from(hash).toString("base64");

test("@ton/ton reads what the operations respond", async () => {
  const { address, source, destination, createdLt } = subjects();
  const { last, init } = await resultOf(url, "getMasterchainInfo");
  const place = { workchain: -1, shard: last.shard, initSeqno: init.seqno, latestSeqno: last.seqno };
  expect(await ton.getMasterchainInfo()).toEqual(place);

  const account = await resultOf(url, "getAddressInformation", { address });
  const state = await ton.getContractState(Address.parse(address));
  const { lt, hash } = account.last_transaction_id;
  expect(state).toMatchObject({ state: account.state, balance: BigInt(account.balance), timestampt: account.sync_utime });
  expect(state.lastTransaction).toEqual({ lt, hash });

  const { transactions } = await resultOf(url, "getTransactionsStd", { address, limit: 5 });
  const hashes = transactions.map(({ transaction_id: id }) => id.hash);
  const listed = await ton.getTransactions(Address.parse(address), { limit: 5 });
  expect(listed.map((one) => base64(one.hash()))).toEqual(hashes);
  const next = await ton.getTransactions(Address.parse(address), { limit: 4, lt, hash });
  expect(next.map((one) => base64(one.hash()))).toEqual(hashes.slice(1));
  expect(base64((await ton.getTransaction(Address.parse(address), lt, hash))?.hash() ?? Buffer.of())).toBe(hash);

  const message = { source, destination, created_lt: createdLt };
  const ends = [Address.parse(source), Address.parse(destination)] as const;
  for (const method of ["tryLocateResultTx", "tryLocateSourceTx"] as const) {
    const { transaction_id: id } = await resultOf(url, method, message);
    expect(base64((await ton[method](...ends, createdLt)).hash())).toBe(id.hash);
  }
});

test("tonweb reads what the operations respond", async () => {
  const { address, source, destination, createdLt } = subjects();
  const { last } = await resultOf(url, "getMasterchainInfo");
  const inputs: Readonly<Record<OperationId, object>> = {
    getAddressInformation: { address },
    getConsensusBlock: {},
    getMasterchainInfo: {},
    getOutMsgQueueSize: {},
    getTransactionsStd: { address, limit: 3, archival: false },
    lookupBlock: { workchain: -1, shard: last.shard, seqno: last.seqno },
    tryLocateResultTx: { source, destination, created_lt: createdLt },
    tryLocateSourceTx: { source, destination, created_lt: createdLt },
  };
  for (const [operation, input] of Object.entries(inputs))
    expect(await tonweb.send(operation, input), operation).toEqual(await resultOf(url, operation as OperationId, input));
  const listed = await tonweb.getTransactions(address, 3);
  const { transactions } = await resultOf(url, "getTransactionsStd", { address, limit: 3 });
  expect(listed.map(({ transaction_id: id }) => id)).toEqual(transactions.map(({ transaction_id: id }) => id));
  const internal = listed.flatMap((one) => (one.in_msg?.source ? [{ one, message: one.in_msg }] : []));
  for (const { one, message } of internal) expect(one).toEqual(await resultOf(url, "tryLocateResultTx", located(message)));
  expect(internal.length).toBeGreaterThan(0);
  const received = await resultOf(url, "tryLocateResultTx", inputs.tryLocateResultTx);
  const { hash, lt } = received.transaction_id;
  expect(await tonweb.getTransactions(destination, 1, lt, hash, undefined, true)).toEqual([received]);
});

test("a call that the API does not have fails with the names of those that it has", async () => {
  await expect(tonweb.send("runGetMethod", {})).rejects.toMatch(/^method: expected one of .*getTransactions$/);
});
