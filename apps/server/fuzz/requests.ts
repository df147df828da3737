/** Requests for blocks, accounts and messages of the whole chain. */
import { readBoc } from "@chain-query/format/cells";
import { blockName, MASTERCHAIN } from "@chain-query/format/identifiers";
import {
  type AccountId,
  type BlockHeader,
  type Message,
  type MessageKey,
  readStepTransactions,
  type TransactionId,
} from "@chain-query/format/store";
import { type LocalChain, openChain } from "@chain-query/local-chain";
import { toRawAddress } from "@chain-query/openapi/address";
import { operationsById } from "@chain-query/openapi/operations";
import type { OperationId } from "@chain-query/types";

/** A valid request. */
export interface Request {
  readonly method: "GET" | "POST";
  /** With its query. */
  readonly path: string;
  readonly body?: string;
}

/** Requests by operation. */
type Requests = Readonly<Record<Exclude<OperationId, "getConsensusBlock" | "getOutMsgQueueSize">, readonly Request[]>>;

/** Transactions of each page. */
const pageLength = 10;

/** Different requests of each operation, at most `count`. */
export async function requestsOn(chain: string, count: number): Promise<Requests> {
  const reader = openChain(chain);
  try {
    const chosen = spread(accountsOf(reader), count);
    const histories = chosen.map((account) => firstOf(reader.transactions(account), 3 * pageLength));
    const messages = histories.flat().flatMap(({ outMessages }) => outMessages.flatMap(messageKey));
    const keys = spread(
      messages.filter((key) => reader.findReceiver(key) !== undefined),
      count,
    ).map(({ source, destination, createdLt }) => ({
      source: toRawAddress(source),
      destination: toRawAddress(destination),
      created_lt: String(createdLt),
    }));
    return {
      getMasterchainInfo: [request("getMasterchainInfo", {})],
      lookupBlock: spread(blocksOf(reader), count).map((selector) => request("lookupBlock", selector)),
      tryLocateResultTx: keys.map((key) => request("tryLocateResultTx", key)),
      tryLocateSourceTx: keys.map((key) => request("tryLocateSourceTx", key)),
      getAddressInformation: chosen.map((account) => request("getAddressInformation", { address: toRawAddress(account) })),
      getTransactionsStd: spread(
        chosen.flatMap((account, index) => pagesOf(account, histories[index]?.map(({ id }) => id) ?? [])),
        count,
      ),
    };
  } finally {
    await reader.close();
  }
}

/** The accounts that have transactions, from the blocks, since the chain has no index of accounts. */
export function accountsOf(reader: LocalChain): AccountId[] {
  const accounts = new Map<string, AccountId>();
  for (const { id } of headersOf(reader)) {
    const boc = reader.blockData(id);
    if (boc === undefined) continue;
    for (const { account } of readStepTransactions(readBoc(boc), id.workchain)) accounts.set(toRawAddress(account), account);
  }
  return [...accounts.values()];
}

/** The blocks of all shards that a chain had: shards of a local chain have prefixes of at most four bits. */
export function headersOf(reader: LocalChain): BlockHeader[] {
  const last = Math.max(...reader.shards().map(({ id }) => id.seqno));
  const smallest = Array.from({ length: 16 }, (_, i) => ({ workchain: 0, shard: BigInt.asIntN(64, BigInt(2 * i + 1) << 59n) }));
  const blocks = [MASTERCHAIN, ...smallest].flatMap((shard) =>
    Array.from({ length: last }, (_, index) => reader.block(shard, { seqno: index + 1 })),
  );
  return [...new Map(blocks.flatMap((block) => (block ? [[blockName(block.id), block]] : []))).values()];
}

function request(id: OperationId, members: object): Request {
  const { method, path } = operationsById[id];
  if (method === "POST") return { method, path, body: JSON.stringify(members) };
  const query = new URLSearchParams(Object.entries(members).map(([name, value]): [string, string] => [name, String(value)]));
  return { method, path: query.size === 0 ? path : `${path}?${query}` };
}

/** Full pages: the newest page, and older ones. */
function pagesOf(account: AccountId, ids: readonly TransactionId[]): Request[] {
  const address = toRawAddress(account);
  const starts = ids.filter((_, index) => index % pageLength === 0 && index + pageLength <= ids.length);
  return starts.map(({ lt, hash }, index) => {
    const start = index === 0 ? {} : { lt, hash: Buffer.from(hash).toString("base64") };
    return request("getTransactionsStd", { address, limit: pageLength, archival: true, ...start });
  });
}

/** Blocks of each shard by sequence number, by logical time and by time. */
function blocksOf(reader: LocalChain): object[] {
  return reader.shards().flatMap(({ id: { workchain, shard, seqno } }) => {
    const where = { workchain, shard: String(shard) };
    return Array.from({ length: seqno }, (_, index) => {
      const block = reader.block({ workchain, shard }, { seqno: index + 1 });
      if (block === undefined) throw new Error(`the chain has no block ${index + 1}`);
      if (index % 3 === 0) return { ...where, seqno: index + 1 };
      return index % 3 === 1 ? { ...where, lt: String(block.startLt) } : { ...where, unixtime: block.time };
    });
  });
}

function messageKey({ source, destination, createdLt }: Message): MessageKey[] {
  return source === undefined || destination === undefined ? [] : [{ source, destination, createdLt }];
}

/** At most `count` of the values, at equal distances. */
function spread<Value>(values: readonly Value[], count: number): Value[] {
  const step = Math.max(1, values.length / count);
  return values.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step)).slice(0, count);
}

function firstOf<Value>(values: Iterable<Value>, count: number): Value[] {
  const first: Value[] = [];
  for (const value of values) {
    if (first.push(value) === count) break;
  }
  return first;
}
