/** Invalid requests by the hundred thousand: the statuses of the answers, and the memory they cost. */
import { fuzz } from "../fuzz/fuzz.ts";
import { printTable } from "./measure.ts";
import { requestsOn } from "./requests.ts";
import { startServer } from "./server-process.ts";

/** The requests to send, of all that a seed makes. */
export interface FuzzRange {
  readonly seed: number;
  readonly from: number;
  readonly count: number;
}

/** After this many requests, or a tenth of all, all code has run and the caches are filled. */
const maxWarmUp = 5000;
const clients = 32;

/** Prints the result. Sets the exit code if an answer is wrong. */
export async function benchFuzz(chain: string, { seed, from, count }: FuzzRange): Promise<void> {
  const warmUp = Math.min(maxWarmUp, Math.floor(count / 10));
  const valid = Object.values(await requestsOn(chain, 10)).flat();
  await using service = await startServer({ kind: "service", chain });
  const plan = { url: service.url, valid, seed, clients, onProgress: showProgress };
  const first = await fuzz({ ...plan, from, count: warmUp });
  const before = await service.read("heap");
  const rest = await fuzz({ ...plan, from: from + warmUp, count: count - warmUp });
  const after = await service.read("heap");
  const reports = [first, rest];
  const statuses = new Map<number, number>();
  for (const [status, answers] of reports.flatMap((report) => [...report.statuses])) {
    statuses.set(status, (statuses.get(status) ?? 0) + answers);
  }
  console.log(`fuzz: seed ${seed}, ${first.sent + rest.sent} requests, ${clients} clients\n`);
  printTable([
    ["status", "answers"],
    ...[...statuses].sort(([one], [other]) => one - other).map((row) => row.map(String)),
    ["no answer to an incomplete request", String(first.unanswered + rest.unanswered)],
  ]);
  const [old, now] = [before, after].map((bytes) => (bytes / 2 ** 20).toFixed(1));
  console.log(`memory after ${warmUp} requests ${old} MB, after all ${now} MB, ratio ${(after / before).toFixed(2)}`);
  const faults = reports.flatMap((report) => report.faults);
  for (const { index, what, request } of faults) console.log(`request ${index}: ${what}\n  ${request}`);
  console.log(`faults: ${faults.length}   goal 0\n`);
  if (faults.length > 0) process.exitCode = 1;
}

function showProgress(sent: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${sent} requests`);
}
