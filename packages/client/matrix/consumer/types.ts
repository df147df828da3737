/** Type-checked only, by every compiler of the matrix with skipLibCheck off: every entry point but ./msw, used as a stranger would. */
import {
  type CallOptions,
  type ChainClient,
  type ClientOptions,
  createClient,
  decodeInt64,
  type InputOf,
  RateLimitError,
  type Transaction,
} from "@chain-query/client";
import * as address from "@chain-query/client/address";
import * as otel from "@chain-query/client/otel";
import * as query from "@chain-query/client/query";
import * as testing from "@chain-query/client/testing";
import * as validate from "@chain-query/client/validate";

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
    const lt: bigint = decodeInt64(found.result).transaction_id.lt;
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

/** The other entry points, by a name of each. */
export const entries: readonly object[] = [address, otel, query, testing, validate];
