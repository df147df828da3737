/** Type-checked only, by every compiler of the matrix with skipLibCheck off: every entry point but ./msw, used as a stranger would. */
import {
  type BlockId,
  type CallError,
  type CallOptions,
  type ChainClient,
  ChainQueryError,
  type ClientOptions,
  createClient,
  type EnvelopeOf,
  type FullAccountState,
  type InputOf,
  type LookupBlockInput,
  type MasterchainInfo,
  type OperationId,
  type OtherApiError,
  RateLimitError,
  type ResultOf,
  type Transaction,
  toBigInt,
  type UnreachableError,
} from "@chain-query/client";
import * as address from "@chain-query/client/address";
import * as query from "@chain-query/client/query";
import * as testing from "@chain-query/client/testing";
import * as validate from "@chain-query/client/validate";
import * as verify from "@chain-query/client/verify";

const options: ClientOptions = { baseUrl: "https://node.example", apiKey: async () => "key", retry: { maxRetries: 1 } };
const chain: ChainClient = createClient(options);
const own: CallOptions = { timeoutMs: 5_000, signal: new AbortController().signal };

/** Inference through every method that takes something. */
export async function use(): Promise<void> {
  const { last } = await chain.getMasterchainInfo(own);
  const seqno: number = last.seqno;
  const byNumber = await chain.lookupBlock({ workchain: -1, shard: last.shard, seqno });
  const shard: string = byNumber.shard;
  const input: InputOf<"tryLocateResultTx"> = { source: "", destination: "", createdLt: 47_000_000_000_001n };
  const found = await chain.tryLocateResultTx(input).safe();
  if (!found.ok && found.error instanceof RateLimitError) {
    const wait: number | undefined = found.error.retryAfterMs;
    console.log(wait);
  }
  if (found.ok) {
    const lt: bigint = toBigInt(found.result.transaction_id.lt);
    console.log(lt);
  }
  for await (const tx of chain.transactions({ address: shard, maxItems: 5 })) {
    const one: Transaction = tx;
    const fee: string = one.fee;
    console.log(fee);
  }
  for await (const { items, cursor } of chain.transactions({ address: shard }).pages()) console.log(items.length, cursor);
  const { response, attempts } = await chain.getConsensusBlock().withResponse();
  const status: number = response.status + attempts;
  const { data } = await chain.raw.GET("/api/v2/getMasterchainInfo");
  console.log(status, data?.ok);

  // @ts-expect-error: two selectors
  void chain.lookupBlock({ workchain: -1, shard, seqno, unixtime: 1 });
  // @ts-expect-error: no such option
  void chain.getConsensusBlock({ timeout: 1 });
}

/** A client that verifies has the same methods. */
export async function verified(keyBlock: verify.KeyBlock, network: verify.Network): Promise<string> {
  const trust: verify.TrustStore = verify.trustStore({ network, keyBlock, maxTrustAge: "7d" });
  const { balance } = await verify.verifying(chain, { trust }).getAddressInformation({ address: "", seqno: 5 });
  return balance;
}

/** Names of types, open lists, and errors as a union. */
export async function names(): Promise<void> {
  const head: MasterchainInfo = await chain.getMasterchainInfo();
  const input: LookupBlockInput = { workchain: "-1", shard: head.last.shard, seqno: 5n };
  const block: BlockId = await chain.lookupBlock(input);
  const account: FullAccountState = await chain.getAddressInformation({ address: block.shard, seqno: 5 });
  const isKnown: boolean = account.state === "frozen" || account.state === "another";
  const same: ResultOf<"lookupBlock"> = block;
  const id: OperationId = "lookupBlock";
  const body: EnvelopeOf<typeof id> = { ok: true, result: same };
  const failed = await chain.getConsensusBlock().safe();
  const message: string = failed.ok ? String(isKnown) : described(failed.error);
  console.log(body, message);
}

/** The members of CallError that `code` alone narrows to have names. */
export function narrowed(error: CallError): UnreachableError | OtherApiError | undefined {
  return error.code === "CONNECTION" || error.code === "API" ? error : undefined;
}

/** Compiles only if the switch is exhaustive, also for a caught error that `instanceof` narrows. */
function described(error: CallError): string {
  switch (error.code) {
    case "RATE_LIMIT":
    case "SERVER":
    case "NOT_FOUND":
    case "BAD_REQUEST":
    case "AUTHENTICATION":
    case "API":
      return String(error.status);
    case "RESPONSE_VALIDATION":
      return error.issues.join();
    case "PARSE":
      return String(error.retryAfterMs);
    case "CONNECTION":
    case "TIMEOUT":
    case "ABORTED":
    case "INVALID_ARGUMENT":
      return error.message;
  }
}
export const caught = (error: unknown): string => (error instanceof ChainQueryError ? described(error) : String(error));

/** The other entry points, by a name of each. */
export const entries: readonly object[] = [address, query, testing, validate];
