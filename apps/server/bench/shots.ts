/** Requests that a chain can answer, spread over all of it. */
import type { AccountId, ChainReader, Message, TransactionId } from "@chain-query/local-chain";
import { operationsById } from "@chain-query/openapi/operations";
import type { OperationId } from "@chain-query/types";
import type { Shot } from "./load.ts";

/** Transactions of each page. */
const pageLength = 10;

/** By operation, so many different requests as there can be, at most the number given. */
export function shotsOn(reader: ChainReader, accounts: readonly AccountId[], most: number): Readonly<Record<Asked, Shot[]>> {
  const chosen = spread(accounts, most);
  const messages: Message[] = [];
  const pages: Shot[] = [];
  for (const account of chosen) {
    const history = [...first(reader.transactions(account), 3 * pageLength)];
    for (const { outMessages } of history) messages.push(...outMessages.filter(({ destination }) => destination !== undefined));
    pages.push(
      ...pagesOf(
        account,
        history.map(({ id }) => id),
      ),
    );
  }
  const known = messages.filter((message) => reader.locate(keyOf(message)).consumer !== undefined);
  const keys = spread(known, most).map((message) => {
    const { source, destination, createdLt } = keyOf(message);
    return { source: addressOf(source), destination: addressOf(destination), created_lt: String(createdLt) };
  });
  return {
    getMasterchainInfo: [shot("getMasterchainInfo", {})],
    lookupBlock: spread(blocksOf(reader), most).map((selector) => shot("lookupBlock", selector)),
    tryLocateResultTx: keys.map((key) => shot("tryLocateResultTx", key)),
    tryLocateSourceTx: keys.map((key) => shot("tryLocateSourceTx", key)),
    getAddressInformation: chosen.map((account) => shot("getAddressInformation", { address: addressOf(account) })),
    getTransactionsStd: spread(pages, most),
  };
}

type Asked = Exclude<OperationId, "getConsensusBlock" | "getOutMsgQueueSize">;

function shot(id: OperationId, members: object): Shot {
  const { method, path } = operationsById[id];
  if (method === "POST") return { method, path, body: JSON.stringify(members) };
  const query = new URLSearchParams(Object.entries(members).map(([name, value]): [string, string] => [name, String(value)]));
  return { method, path: query.size === 0 ? path : `${path}?${query}` };
}

/** Whole pages: the newest, and those that begin further back. */
function pagesOf(account: AccountId, ids: readonly TransactionId[]): Shot[] {
  const address = addressOf(account);
  const starts = ids.filter((_, index) => index % pageLength === 0 && index + pageLength <= ids.length);
  return starts.map(({ lt, hash }, index) => {
    const start = index === 0 ? {} : { lt, hash: Buffer.from(hash).toString("base64") };
    return shot("getTransactionsStd", { address, limit: pageLength, archival: true, ...start });
  });
}

/** By number, by logical time and by time, in each shard. */
function blocksOf(reader: ChainReader): object[] {
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

function keyOf({ source, destination, createdLt }: Message) {
  if (source === undefined || destination === undefined) throw new Error("a message between accounts has both");
  return { source, destination, createdLt };
}

function addressOf({ workchain, hash }: AccountId): string {
  return `${workchain}:${Buffer.from(hash).toString("hex")}`;
}

function spread<Value>(values: readonly Value[], most: number): Value[] {
  const step = Math.max(1, values.length / most);
  return Array.from({ length: Math.min(most, values.length) }, (_, index) => values[Math.floor(index * step)]).filter(
    (one) => one !== undefined,
  );
}

function* first<Value>(values: Iterable<Value>, count: number): Generator<Value> {
  let given = 0;
  for (const value of values) {
    if (given++ >= count) return;
    yield value;
  }
}
