/** Typed requests of the live checks. A response that breaks its schema never reaches a check, so the contract's types are right. */
import type { OperationId, ResultOf, Schemas } from "@chain-query/types";
import { unexplained } from "../../body/validate-body.ts";
import { requestOf } from "../../contract/documented-requests.ts";
import { valueAt } from "../../json.ts";
import { deviationsOf } from "../../rules/exchange.ts";
import { type Exchange, responseOf } from "../../service/exchange.ts";
import { type Context, NotApplicable, RequestFailed, sharedOnce } from "../check.ts";

export type BlockId = Schemas["chain.blockIdExt"];
export type TransactionId = Schemas["internal.transactionId"];
export type AccountResult = ResultOf<"getAddressInformation">;
export type Page = ResultOf<"getTransactionsStd">;
export type WireTransaction = Page["transactions"][number] | ResultOf<"tryLocateResultTx">;
export type Message = WireTransaction["out_msgs"][number];

type Input = Readonly<Record<string, unknown>>;

/** A result and the exchange that it came with. */
export interface Fetched<Result> {
  readonly result: Result;
  readonly exchange: Exchange;
}

export const masterchain = { workchain: -1, shard: "-9223372036854775808" } as const;

/** Sends a request that must succeed; throws RequestFailed if the response is a failure. */
export async function fetchResult<Id extends OperationId>(
  context: Context,
  operation: Id,
  input: Input = {},
): Promise<Fetched<ResultOf<Id>>> {
  const { result, exchange } = await tryFetch(context, operation, input);
  if (result === undefined) throw new RequestFailed(exchange, "200 with a result");
  return { result, exchange };
}

/** Sends a request that may fail: the result is undefined if the response is a failure. */
export async function tryFetch<Id extends OperationId>(
  context: Context,
  operation: Id,
  input: Input = {},
): Promise<Fetched<ResultOf<Id> | undefined>> {
  const exchange = await context.send(requestOf(operation, input));
  const response = responseOf(exchange);
  if (response === undefined) throw new RequestFailed(exchange, "a response");
  if (response.status !== 200) return { result: undefined, exchange };
  const deviation = deviationsOf(operation, response).find(({ rule, match }) => rule.startsWith("#") && match === unexplained);
  // The rules of responses report the deviation once; every check that needs the response would repeat it.
  if (deviation !== undefined || response.body === undefined) {
    throw new NotApplicable(
      `a response of ${operation} is off the contract${deviation === undefined ? "" : ` at ${deviation.path}`}`,
    );
  }
  return { result: valueAt(response.body, ["result"]) as ResultOf<Id>, exchange };
}

/** The head at the start of the run. */
export function startHead(context: Context): Promise<Fetched<ResultOf<"getMasterchainInfo">>> {
  return sharedOnce(context, "head", () => fetchResult(context, "getMasterchainInfo"));
}

/** The page that begins with a transaction. */
export function pageFrom(
  context: Context,
  address: string,
  { lt, hash }: Pick<TransactionId, "lt" | "hash">,
  limit: number | undefined,
): Promise<Fetched<Page>> {
  return fetchResult(context, "getTransactionsStd", { address, lt, hash, ...(limit === undefined ? {} : { limit }) });
}

export function isSameBlock(a: BlockId, b: BlockId): boolean {
  return blockName(a) === blockName(b) && a.root_hash === b.root_hash && a.file_hash === b.file_hash;
}

export function blockName({ workchain, shard, seqno }: Pick<BlockId, "workchain" | "shard" | "seqno">): string {
  return `block (${workchain}, ${shard}, ${seqno})`;
}

export function blockAndHash(block: BlockId): string {
  return `${blockName(block)}, root_hash ${block.root_hash}`;
}

export function isSameTransaction(
  a: Pick<TransactionId, "lt" | "hash"> | undefined,
  b: Pick<TransactionId, "lt" | "hash">,
): boolean {
  return a?.lt === b.lt && a.hash === b.hash;
}

export function transactionName(id: Pick<TransactionId, "lt" | "hash"> | undefined): string {
  return id === undefined ? "no transaction" : `lt ${id.lt} (${id.hash.slice(0, 6)}…)`;
}

/** The source or destination of a listed or located message as text. */
export function addressTextOf(end: Message["source"]): string {
  return typeof end === "string" ? end : end.account_address;
}
