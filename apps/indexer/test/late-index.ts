/** Lite servers of `SMALL` that have deleted old blocks, and indexes on them that begin late. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatGlobalConfig, liteChain } from "@chain-query/lite/answers";
import { type LiteBehaviour, prune, startFaultyLiteServer } from "@chain-query/lite/faults";
import { chainSteps, openChain } from "@chain-query/local-chain";
import { madeChain } from "@chain-query/local-chain/testing";
import { SMALL } from "@chain-query/testing/chains";
import { temporaryFolder } from "@chain-query/testing/folders";
import { inDatabase, type PostgresDatabases, sharedPostgres } from "@chain-query/testing/services";
import { expect } from "vitest";
import { heldIndex } from "./holds.ts";
import { start } from "./processes.ts";

export const FIRST = 6;
/** The first step of servers that keep states for a shorter time. */
export const FIRST_OF_STATES = 9;

type Server = Awaited<ReturnType<typeof startFaultyLiteServer>>;

export interface LateIndexes extends AsyncDisposable {
  readonly server: PostgresDatabases;
  readonly folder: string;
  /** Servers with blocks from step 5 on, which an index at step 6 needs; with states of fewer steps; and with the whole chain. */
  readonly pruned: Server;
  readonly forgetful: Server;
  readonly whole: Server;
  /** The arguments of lite servers. */
  lite(choice?: { readonly archival?: boolean; readonly servers?: Server }): string[];
  /** An index from `FIRST` on. */
  lateIndex(source?: readonly string[]): Promise<string>;
  wholeIndex(): Promise<string>;
}

/** Starts the servers. */
export async function lateIndexes(): Promise<LateIndexes> {
  const resources = new AsyncDisposableStack();
  const server = await sharedPostgres();
  const folder = await madeChain(SMALL);
  const chain = openChain(folder);
  resources.defer(() => chain.close());
  const source = chainSteps(folder);
  const { endLt, time: endTime } = (await source.tips(FIRST - 2))[0] ?? expect.unreachable();
  await source.close();
  const history = { firstSeqno: FIRST - 1, endLt, endTime };
  const serve = async (key: number, ...behaviours: LiteBehaviour[]): Promise<Server> => {
    const one = await startFaultyLiteServer({ chain: liteChain(chain), key: new Uint8Array(32).fill(key), behaviours });
    resources.defer(() => one.close());
    return one;
  };
  const pruned = await serve(9, prune(history));
  const forgetful = await serve(7, prune({ ...history, firstState: FIRST_OF_STATES - 1 }));
  const whole = await serve(8);

  const lite: LateIndexes["lite"] = ({ archival = false, servers = pruned } = {}) => {
    const [recent = "", old = ""] = [servers, whole].map((one) => {
      const file = join(temporaryFolder(), "global.config.json");
      writeFileSync(file, formatGlobalConfig(one.config()));
      return file;
    });
    return ["--from-lite-servers", recent, "--lite-rate", "10000", ...(archival ? ["--lite-archival", old] : [])];
  };
  const indexed = async (...args: readonly string[]): Promise<string> => {
    const url = await server.createDatabase(heldIndex);
    const indexer = start(url, "run", ...args);
    await indexer.reached(SMALL.steps);
    expect((await indexer.end("SIGINT")).code).toBe(0);
    return url;
  };
  return {
    ...{ server, folder, pruned, forgetful, whole, lite },
    lateIndex: (from = lite()) => indexed(...from, "--start", `${FIRST}`),
    wholeIndex: () => indexed("--from-chain", folder),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** The rows of steps from one on, as one hash of each table. */
export function rowsFrom(url: string, first: number): Promise<unknown> {
  return inDatabase(url, async (sql) => [
    await sql`SELECT md5(string_agg(account || record, '' ORDER BY account, lt)) FROM transactions WHERE mc_seqno >= ${first}`,
    await sql`SELECT md5(string_agg(account || record, '' ORDER BY account, mc_seqno)) FROM account_versions WHERE mc_seqno >= ${first}`,
    await sql`SELECT md5(string_agg(record, '' ORDER BY workchain, shard, seqno)) FROM blocks WHERE mc_seqno >= ${first}`,
  ]);
}
