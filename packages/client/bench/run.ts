/** `pnpm bench client`: size and speed of the client compared with alternatives, as tables in Markdown. */
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { installed } from "../matrix/cache.ts";
import { type BenchClient, bare, bundledSize, generated, ours, peers, peerVersions } from "./clients.ts";
import { measureFlood, measureSpeeds } from "./load.ts";

const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.once(name, () => {
    stop.abort(name);
    process.exit(name === "SIGINT" ? 130 : 143);
  });
}

const home = fileURLToPath(new URL("../", import.meta.url));
const versions = createHash("sha256").update(JSON.stringify(peerVersions)).digest("hex").slice(0, 12);
const peerFolder = await generated(await installed(`bench-${versions}`, peerVersions, stop.signal), stop.signal);

await printSizes();
await printSpeeds();
await printFlood();

async function printSizes(): Promise<void> {
  const kilobytes = async ({ program }: BenchClient, folder: string): Promise<string> =>
    ((await bundledSize(program, folder)) / 1000).toFixed(2);
  const rows: string[][] = [];
  for (const client of ours) rows.push([client.name, await kilobytes(client, home), client.about]);
  for (const client of peers) rows.push([client.name, await kilobytes(client, peerFolder), client.about]);
  printTable(["one call with", "kB min+gzip", "features"], rows);
}

async function printSpeeds(): Promise<void> {
  const of = (clients: readonly BenchClient[], folder: string) =>
    clients.flatMap(({ name, calls }) => (calls === undefined ? [] : [{ name, calls, folder }]));
  const contenders = [{ name: "fetch + JSON.parse", calls: bare, folder: home }, ...of(ours, home), ...of(peers, peerFolder)];
  const rows = (await measureSpeeds(contenders)).map(({ name, get, post }) => [
    name,
    ...[get, post].flatMap((speed) => [speed?.ratio.toFixed(2) ?? "", speed?.microseconds.toFixed(0) ?? ""]),
  ]);
  printTable(["time of a call", "GET ÷ fetch", "µs", "POST ÷ fetch", "µs"], rows);
}

async function printFlood(): Promise<void> {
  const { calls, rounds, seconds, before, after } = await measureFlood();
  const rows = [[`${calls}, ${rounds} times`, seconds.toFixed(2), before.toFixed(1), after.toFixed(1)]];
  printTable(["calls at once through the limiter", "s each time", "MB of heap before", "after"], rows);
}

function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((cell, column) => Math.max(3, cell.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  console.log([line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line), ""].join("\n"));
}
