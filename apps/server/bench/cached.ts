/** The service on an index in PostgreSQL beside the service on the folder: answers that a cache has need no more than the head. */
import { chainSteps } from "@chain-query/local-chain";
import { migrate, openPostgresWriter } from "@chain-query/postgres-store";
import { startPostgres } from "@chain-query/testing/services";
import { type Contender, measureInTurn, median, printTable, ratios } from "./measure.ts";
import { type Request, requestsOn } from "./requests.ts";
import { startServer } from "./server-process.ts";

const rounds = 5;
const seconds = 2;
/** An answer waits for a read of the head that begins after its request: the more callers share it, the less of it each one pays. */
const connections = 64;
/** Few enough that all their answers are in the caches after a round of warm-up. */
const requestsOfEach = 100;

/** Prints the rates of cached answers, their ratios to those from the folder, and how often the index is read. */
export async function benchCached(chain: string): Promise<void> {
  await using database = await startPostgres();
  const url = await database.createDatabase();
  await index(chain, url);
  await using direct = await startServer({ kind: "service", chain });
  await using indexed = await startServer({ kind: "wire", flags: ["--postgres", url, "--workers", "1"] });
  const rows: string[][] = [];
  for (const [name, requests] of Object.entries(await cachedRequests(chain))) {
    const contenders: Contender[] = [
      { name: "chain", server: direct, requests },
      { name: "postgres", server: indexed, requests },
    ];
    const before = await readsOf(indexed.url);
    const results = await measureInTurn(contenders, { rounds, seconds, connections });
    const reads = ((await readsOf(indexed.url)) - before) / (seconds * (rounds + 1));
    const [one = [], other = []] = [results.get("chain"), results.get("postgres")];
    const ratio = ratios(other, one);
    const rates = [one, other].map((each) => median(each.map(({ rate }) => rate)).toFixed(0));
    const times = [one, other].map((each) => median(each.map(({ cpu }) => cpu)).toFixed(0));
    rows.push([name, ...rates, ratio.rate.toFixed(2), ...times, ratio.cpu.toFixed(2), reads.toFixed(0), "  goal ≥ 0.95"]);
  }
  console.log(`cached answers, one worker, ${connections} connections, medians of ${rounds} rounds of ${seconds} s in turn\n`);
  const head = ["per second", "--chain", "--postgres", "ratio", "CPU µs", "CPU µs", "by CPU time", "reads per second", ""];
  printTable([head, ...rows]);
}

async function cachedRequests(chain: string): Promise<Readonly<Record<string, readonly Request[]>>> {
  const requests = await requestsOn(chain, requestsOfEach);
  const { cursor = [], newest = [] } = Object.groupBy(requests.getTransactionsStd, ({ path }) =>
    path.includes("hash=") ? "cursor" : "newest",
  );
  return {
    getMasterchainInfo: requests.getMasterchainInfo,
    "getTransactionsStd, newest": newest,
    "getTransactionsStd, from a cursor": cursor,
    tryLocateSourceTx: requests.tryLocateSourceTx,
    tryLocateResultTx: requests.tryLocateResultTx,
  };
}

async function index(chain: string, url: string): Promise<void> {
  await migrate({ url });
  const [source, writer] = [chainSteps(chain), await openPostgresWriter({ url })];
  await writer.begin(await source.genesis());
  const range = { from: 1, to: await source.newest() };
  for await (const step of source.steps(range, new AbortController().signal)) await writer.write([step]);
  await Promise.all([source.close(), writer.close()]);
}

/** How often the service has read a database since it started. */
async function readsOf(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const counts = text.matchAll(/^chain_query_database_read_duration_seconds_count\{[^}]*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}
