/** Calls the eight operations one after the other, each with values from the responses before it. */
import { type ChainClient, createClient } from "@chain-query/client";
import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import type { OperationId } from "@chain-query/types";

/** A row of the table. */
interface Call {
  readonly operation: OperationId;
  readonly status: string;
  readonly milliseconds: number;
  /** The result in a few words, or the error. */
  readonly result: string;
}

/** Calls the service at `baseUrl` and resolves to a table of the calls. A failed call is a row too. */
export async function tour(baseUrl: string): Promise<{ readonly table: string; readonly failed: boolean }> {
  const calls: Call[] = [];
  let failed = false;
  let status = "";
  const chain: ChainClient = createClient({
    baseUrl,
    // The service has no rate limit here, and waiting would hide the time of a call.
    rateLimit: false,
    fetch: async (request) => {
      const response = await fetch(request);
      status = String(response.status);
      return response;
    },
  });

  async function call<Result>(operation: OperationId, request: () => Promise<Result>, describe: (result: Result) => string) {
    const start = performance.now();
    const add = (result: string) => calls.push({ operation, status, milliseconds: performance.now() - start, result });
    status = "-";
    try {
      const result = await request();
      add(describe(result));
      return result;
    } catch (error) {
      failed = true;
      add(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  const address = examples.find(({ condition }) => condition === "active")?.request.body?.address ?? "";
  const info = await call(
    "getMasterchainInfo",
    () => chain.getMasterchainInfo(),
    ({ last }) => `head is block ${last.seqno}`,
  );
  await call(
    "getConsensusBlock",
    () => chain.getConsensusBlock(),
    (consensus) => `block ${consensus.consensus_block}, agreed at ${time(consensus.timestamp)}`,
  );
  await call(
    "lookupBlock",
    () => chain.lookupBlock({ workchain: -1, shard: info?.last.shard ?? "", seqno: info?.last.seqno ?? 1 }),
    (block) => `block ${block.seqno} of ${block.workchain}, root ${block.root_hash}`,
  );
  await call(
    "getOutMsgQueueSize",
    () => chain.getOutMsgQueueSize(),
    ({ shards }) => `${shards.length} shards, ${shards.reduce((sum, { size }) => sum + size, 0)} messages waiting`,
  );
  const account = await call(
    "getAddressInformation",
    () => chain.getAddressInformation({ address }),
    ({ state, balance }) => `${state}, balance ${balance}`,
  );
  const { lt = "", hash = "" } = account?.last_transaction_id ?? {};
  const page = await call(
    "getTransactionsStd",
    () => chain.getTransactionsStd({ address, lt, hash, limit: 5 }),
    ({ transactions, previous_transaction_id: next }) =>
      `${transactions.length} transactions, ${next.lt === "0" ? "the whole history" : `the next page starts at ${next.lt}`}`,
  );
  const received = page?.transactions.map((each) => each.in_msg).find((each) => each?.source.account_address);
  const message = {
    source: received?.source.account_address ?? "",
    destination: received?.destination.account_address ?? "",
    createdLt: received?.created_lt ?? "",
  };
  const found = ({ account: holder, transaction_id: id }: { account: string; transaction_id: { lt: string } }) =>
    `lt ${id.lt} of ${holder.slice(0, 12)}…`;
  await call("tryLocateSourceTx", () => chain.tryLocateSourceTx(message), found);
  await call("tryLocateResultTx", () => chain.tryLocateResultTx(message), found);
  return { table: table(calls), failed };
}

function table(calls: readonly Call[]): string {
  const rows = [
    ["operation", "status", "ms", "result"],
    ...calls.map(({ operation, status, milliseconds, result }) => [operation, status, milliseconds.toFixed(0), result]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map(([operation = "", status = "", ms = "", result = ""]) =>
      [operation.padEnd(widths[0] ?? 0), status.padEnd(widths[1] ?? 0), ms.padStart(widths[2] ?? 0), result].join("  "),
    )
    .join("\n");
}

function time(unixtime: number): string {
  return new Date(unixtime * 1000).toISOString().replace(".000", "");
}
