/** `pnpm bench client`: size and speed of the client compared with alternatives, as a table in Markdown. */
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { installed } from "../matrix/cache.ts";
import { bare, bundledSize, generated, ours, peers, peerVersions } from "./clients.ts";
import { measureSpeeds } from "./load.ts";

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

const clients = [
  ...ours.map((client) => ({ ...client, folder: home })),
  ...peers.map((client) => ({ ...client, folder: peerFolder })),
];
const timed = clients.flatMap(({ name, calls, folder }) => (calls === undefined ? [] : [{ name, calls, folder }]));
const speeds = await measureSpeeds([{ name: "fetch + JSON.parse", calls: bare, folder: home }, ...timed]);
const rows: string[][] = [];
for (const { name, about, program, folder } of clients) {
  const speed = speeds.find((one) => one.name === name);
  const size = ((await bundledSize(program, folder)) / 1000).toFixed(2);
  rows.push([name, size, speed?.get?.toFixed(2) ?? "", speed?.post?.toFixed(2) ?? "", about]);
}
printTable(["one call with", "kB min+gzip", "GET", "POST", "features"], rows);

function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((cell, column) => Math.max(3, cell.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  console.log([line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line), ""].join("\n"));
}
