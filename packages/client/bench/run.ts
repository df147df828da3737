/** `pnpm bench client`: size of the client and processor time of a call beside `fetch` and openapi-fetch, as a table in Markdown. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import { build } from "esbuild";
import { bare, bundledSize, openapiFetch, ours } from "./clients.ts";

type Calls = Record<"get" | "post", () => Promise<unknown>>;

const rounds = 150;
const callsPerRound = 20;
const warmUp = 50;
const home = fileURLToPath(new URL("../", import.meta.url));

/** Bundles a module of calls for Node.js, and imports it. */
async function load(contents: string, outfile: string, baseUrl: string): Promise<Calls> {
  const options = { bundle: true, format: "esm", platform: "node", target: "node24", logLevel: "error" } as const;
  await build({ stdin: { contents, resolveDir: home }, outfile, ...options });
  const input = { workchain: -1, shard: "-9223372036854775808", seqno: 1 };
  return (await import(pathToFileURL(outfile).href)).default(baseUrl, input);
}

/** The processor time of each one's calls as a ratio to the first: medians of the rounds, in which all take turns. */
async function ratios(calls: readonly Calls["get"][]): Promise<number[]> {
  const times: number[][] = calls.map(() => []);
  for (let round = 0; round < rounds + warmUp; round++) {
    for (let step = 0; step < calls.length; step++) {
      const index = (round + step) % calls.length;
      const start = process.cpuUsage();
      for (let each = 0; each < callsPerRound; each++) await calls[index]?.();
      const { user, system } = process.cpuUsage(start);
      if (round >= warmUp) times[index]?.push(user + system);
    }
  }
  return times.map((own) => median(own.map((time, round) => time / (times[0]?.[round] ?? time))));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const bodies = ["getMasterchainInfo", "lookupBlock"].map((operation) =>
  JSON.stringify(
    examples.find(({ operationId, response }) => operationId === operation && response.status === 200)?.response.body,
  ),
);
const clients = [...ours, openapiFetch];
const timed = clients.flatMap(({ name, calls }) => (calls === undefined ? [] : [{ name, calls }]));
await mkdir(join(home, ".reports"), { recursive: true });
const folder = await mkdtemp(join(home, ".reports", "bench-"));
const server = fork(fileURLToPath(new URL("server.ts", import.meta.url)), bodies);
try {
  const [port] = (await once(server, "message")) as [number];
  const modules = [bare, ...timed.map(({ calls }) => calls)];
  const all = await Promise.all(
    modules.map((text, index) => load(text, join(folder, `${index}.mjs`), `http://127.0.0.1:${port}`)),
  );
  const [get, post] = [await ratios(all.map((each) => each.get)), await ratios(all.map((each) => each.post))];
  console.log("| one call with | kB min+gzip | GET | POST | features |\n| --- | --- | --- | --- | --- |");
  for (const { name, about, program } of clients) {
    const index = timed.findIndex((each) => each.name === name) + 1;
    const times = [get, post].map((each) => (index > 0 ? each[index]?.toFixed(2) : ""));
    console.log(`| ${[name, ((await bundledSize(program, home)) / 1000).toFixed(2), ...times, about].join(" | ")} |`);
  }
  console.log(`\nload ${loadavg()[0]?.toFixed(1)}`);
} finally {
  server.kill();
  await rm(folder, { recursive: true, force: true });
}
