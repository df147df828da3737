/** A hundred thousand wrong requests: what is answered to them, and what memory they cost. */
import { openChain } from "@chain-query/local-chain";
import { fuzz } from "../fuzz/fuzz.ts";
import { accountsOf } from "./accounts.ts";
import { startSubject } from "./process.ts";
import { shotsOn } from "./shots.ts";
import { printTable } from "./table.ts";

/** Which requests are sent: those from one on, of all that a seed makes. */
export interface FuzzRange {
  readonly seed: number;
  readonly from: number;
  readonly count: number;
}

/** After so many, or a tenth of all, all code has run and all that is kept for long is there. */
const mostWarmUp = 5000;
const callers = 32;

/** Prints what came of it. Fails where one answer should not be. */
export async function benchFuzz(chain: string, { seed, from, count }: FuzzRange): Promise<void> {
  const warmUp = Math.min(mostWarmUp, Math.floor(count / 10));
  const reader = openChain(chain);
  const valid = Object.values(shotsOn(reader, accountsOf(reader), 10)).flat();
  await reader.close();
  await using service = await startSubject({
    kind: "service",
    flags: ["--chain", chain, "--keys", `${chain}.keys`, "--no-produce", "--keyless-rate", "0"],
  });
  const plan = { url: service.url, valid, seed, callers, onProgress: progress };
  const first = await fuzz({ ...plan, from, count: warmUp });
  const before = await service.ask("heap");
  const rest = await fuzz({ ...plan, from: from + warmUp, count: count - warmUp });
  const after = await service.ask("heap");
  const all = [first, rest];
  const statuses = new Map<number, number>();
  for (const [status, number] of all.flatMap((report) => [...report.statuses])) {
    statuses.set(status, (statuses.get(status) ?? 0) + number);
  }
  console.log(`fuzz: seed ${seed}, ${first.sent + rest.sent} requests, ${callers} at once\n`);
  printTable([
    ["status", "answers"],
    ...[...statuses].sort(([one], [other]) => one - other).map((row) => row.map(String)),
    ["no answer, to what was no whole request", String(first.unanswered + rest.unanswered)],
  ]);
  const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);
  console.log(
    `memory after ${warmUp} and after all: ${megabytes(before)} MB, ${megabytes(after)} MB, ${(after / before).toFixed(2)} ×`,
  );
  const faults = all.flatMap((report) => report.faults);
  for (const { index, what, request } of faults) console.log(`request ${index}: ${what}\n  ${request}`);
  console.log(`faults: ${faults.length}   goal 0\n`);
  if (faults.length > 0) process.exitCode = 1;
}

function progress(sent: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${sent} requests`);
}
