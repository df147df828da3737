/** Measures the time per call over loopback. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import { build } from "esbuild";

type Calls = Partial<Record<"get" | "post", () => Promise<unknown>>>;

/** A module of calls, and the folder from which its imports are looked up. */
export interface Contender {
  name: string;
  calls: string;
  folder: string;
}

/** The time of a call as a ratio to the first contender: medians of all rounds. */
interface Speed {
  name: string;
  get: number | undefined;
  post: number | undefined;
}

/**
 * Runs a task against a server that answers with the typical responses of operations: to GET, and to POST. To JSON-RPC it answers with
 * the first, and the name of a type that TonClient demands.
 */
async function withServer<T>(
  operations: readonly [get: string, post: string],
  task: (baseUrl: string) => Promise<T>,
): Promise<T> {
  const bodies = operations.map(
    (operation) =>
      examples.find(({ operationId, response }) => operationId === operation && response.status === 200)?.response.body,
  );
  const server = fork(fileURLToPath(new URL("server.ts", import.meta.url)), [
    ...bodies.map((body) => JSON.stringify(body)),
    JSON.stringify(bodies[0]).replaceAll(/"[a-z]+\.blockIdExt"/g, '"ton.blockIdExt"'),
  ]);
  try {
    const ended = once(server, "exit").then(([code, signal]) => {
      throw new Error(`the server of the bench ended: ${signal ?? code}`);
    });
    const [port] = (await Promise.race([once(server, "message"), ended])) as [number];
    return await Promise.race([task(`http://127.0.0.1:${port}`), ended]);
  } finally {
    server.kill();
  }
}

/** Bundles the module for Node.js, so that a peer needs no build of its own. */
async function load({ name, calls, folder }: Contender, outdir: string): Promise<(baseUrl: string, input: object) => Calls> {
  const outfile = join(outdir, `${name.replace(/\W+/g, "-")}.mjs`);
  // Dependencies in CommonJS call require().
  const banner = { js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);` };
  const options = { bundle: true, format: "esm", platform: "node", target: "node24", logLevel: "error" } as const;
  await build({ stdin: { contents: calls, resolveDir: folder }, outfile, banner, ...options });
  return (await import(pathToFileURL(outfile).href)).default;
}

/** Compares the contenders with the first: measures all in each round, in a changing order. */
export async function measureSpeeds(contenders: readonly Contender[], rounds = 150, calls = 20): Promise<Speed[]> {
  const reports = fileURLToPath(new URL("../.reports/", import.meta.url));
  await mkdir(reports, { recursive: true });
  const outdir = await mkdtemp(join(reports, "bench-"));
  try {
    const makers = await Promise.all(contenders.map((contender) => load(contender, outdir)));
    return await withServer(["getMasterchainInfo", "lookupBlock"], async (baseUrl) => {
      const input = { workchain: -1, shard: "-9223372036854775808", seqno: 1 };
      const all = makers.map((make) => make(baseUrl, input));
      const ratios = async (method: keyof Calls) =>
        inTurn(
          all.map((each) => each[method]),
          rounds,
          calls,
        );
      const [get, post] = [await ratios("get"), await ratios("post")];
      return contenders.map(({ name }, index) => ({ name, get: get[index], post: post[index] }));
    });
  } finally {
    await rm(outdir, { recursive: true, force: true });
  }
}

async function inTurn(clients: readonly Calls["get"][], rounds: number, calls: number): Promise<(number | undefined)[]> {
  const times: number[][] = clients.map(() => []);
  const warmUp = 20;
  for (let round = 0; round < rounds + warmUp; round++) {
    for (let step = 0; step < clients.length; step++) {
      const index = (round + step) % clients.length;
      const call = clients[index];
      if (call === undefined) continue;
      const start = performance.now();
      for (let each = 0; each < calls; each++) await call();
      if (round >= warmUp) times[index]?.push(((performance.now() - start) * 1_000) / calls);
    }
  }
  const base = times[0] ?? [];
  return times.map((own) => (own.length > 0 ? median(own.map((time, round) => time / (base[round] ?? time))) : undefined));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
