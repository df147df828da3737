/** A tour of the eight operations: each call takes its input from the answers before it, as an application would. */
import type { ChainClient } from "@chain-query/client";
import type { OperationId } from "@chain-query/types";

/** One line of the tour's table. */
export interface Stop {
  operation: OperationId;
  status: string;
  milliseconds: number;
  glance: string;
}

/** Makes a client whose every answer's status is told to `seen`. */
export type ConnectTo = (seen: (status: number) => void) => ChainClient;

/** Calls all eight operations, starting from an account; a call that fails is a line of the table like any other. */
export async function tour(connect: ConnectTo, address: string): Promise<{ stops: Stop[]; failed: boolean }> {
  const stops: Stop[] = [];
  let failed = false;
  let status = "";
  const chain = connect((seen) => {
    status = String(seen);
  });

  async function visit<Result>(operation: OperationId, call: () => Promise<Result>, glance: (result: Result) => string) {
    const start = performance.now();
    status = "-";
    try {
      const result = await call();
      stops.push({ operation, status, milliseconds: performance.now() - start, glance: glance(result) });
      return result;
    } catch (error) {
      failed = true;
      const message = error instanceof Error ? error.message : String(error);
      stops.push({ operation, status, milliseconds: performance.now() - start, glance: message });
      return undefined;
    }
  }

  const info = await visit(
    "getMasterchainInfo",
    () => chain.getMasterchainInfo(),
    ({ last }) => `head is block ${last.seqno}`,
  );
  await visit(
    "getConsensusBlock",
    () => chain.getConsensusBlock(),
    (consensus) => `block ${consensus.consensus_block}, agreed at ${time(consensus.timestamp)}`,
  );
  await visit(
    "lookupBlock",
    () => chain.lookupBlock({ workchain: -1, shard: info?.last.shard ?? "", seqno: info?.last.seqno ?? 1 }),
    (block) => `block ${block.seqno} of ${block.workchain}, root ${block.root_hash}`,
  );
  await visit(
    "getOutMsgQueueSize",
    () => chain.getOutMsgQueueSize(),
    ({ shards }) => `${shards.length} shards, ${shards.reduce((sum, { size }) => sum + size, 0)} messages waiting`,
  );
  const account = await visit(
    "getAddressInformation",
    () => chain.getAddressInformation({ address }),
    ({ state, balance }) => `${state}, balance ${balance}`,
  );
  const { lt = "", hash = "" } = account?.last_transaction_id ?? {};
  const page = await visit(
    "getTransactionsStd",
    () => chain.getTransactionsStd({ address, lt, hash, limit: 5 }),
    ({ transactions, previous_transaction_id: next }) =>
      `${transactions.length} transactions, the next page starts at ${next.lt}`,
  );
  const received = page?.transactions.map((each) => each.in_msg).find((each) => each?.source.account_address);
  const message = {
    source: received?.source.account_address ?? "",
    destination: received?.destination.account_address ?? "",
    createdLt: received?.created_lt ?? "",
  };
  const found = ({ account: holder, transaction_id: id }: { account: string; transaction_id: { lt: string } }) =>
    `lt ${id.lt} of ${holder.slice(0, 12)}…`;
  await visit("tryLocateSourceTx", () => chain.tryLocateSourceTx(message), found);
  await visit("tryLocateResultTx", () => chain.tryLocateResultTx(message), found);
  return { stops, failed };
}

/** The stops as an aligned table. */
export function table(stops: readonly Stop[]): string {
  const rows = [
    ["operation", "status", "ms", "a glance of the result"],
    ...stops.map(({ operation, status, milliseconds, glance }) => [operation, status, milliseconds.toFixed(0), glance]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map(([operation = "", status = "", ms = "", glance = ""]) =>
      [operation.padEnd(widths[0] ?? 0), status.padEnd(widths[1] ?? 0), ms.padStart(widths[2] ?? 0), glance].join("  "),
    )
    .join("\n");
}

function time(unixtime: number): string {
  return new Date(unixtime * 1000).toISOString().replace(".000", "");
}
