/** Measures an install and the rate of requests. */
import { existsSync, globSync, readFileSync, realpathSync, statSync } from "node:fs";
import { Agent, request } from "node:http";
import { basename, dirname, join } from "node:path";
import { operations } from "@chain-query/openapi/operations";

/** The number of packages, and their unpacked bytes. */
export interface Install {
  readonly packages: number;
  readonly bytes: number;
}

/** Follows the run-time dependencies of the package in a folder. */
export function installOf(folder: string): Install {
  const seen = new Set<string>();
  const queue = [realpathSync(folder)];
  let bytes = 0;
  for (let home = queue.pop(); home !== undefined; home = queue.pop()) {
    if (seen.has(home)) continue;
    seen.add(home);
    const { files, dependencies = {} } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
    // A package of this workspace packs a part of its folder.
    bytes += bytesOf(home, home.includes("node_modules") ? ["."] : [...files, "package.json", "README.md", "LICENSE"]);
    for (const name of Object.keys(dependencies)) {
      const modules = home.includes("node_modules") ? modulesAround(home) : join(home, "node_modules");
      const linked = [join(home, "node_modules", name), join(modules, name)].find(existsSync);
      if (linked === undefined) throw new Error(`${home}: ${name} is not installed`);
      queue.push(realpathSync(linked));
    }
  }
  return { packages: seen.size, bytes };
}

/** The folder `node_modules` in which pnpm has linked a package and its dependencies. */
function modulesAround(home: string): string {
  const parent = dirname(home);
  return basename(parent) === "node_modules" ? parent : dirname(parent);
}

function bytesOf(home: string, patterns: readonly string[]): number {
  const paths = patterns.flatMap((pattern) => [pattern, `${pattern}/**`]);
  return globSync(paths, { cwd: home })
    .map((path) => statSync(join(home, path)))
    .reduce((sum, one) => sum + (one.isFile() ? one.size : 0), 0);
}

interface Shot {
  readonly method: string;
  readonly target: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** The first example of each operation. */
const shots: readonly Shot[] = operations.flatMap(({ examples: [first] }) => {
  if (first === undefined) return [];
  const { method, path, query, body } = first.request;
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  const text = body === undefined ? "" : JSON.stringify(body);
  const headers = { "content-type": "application/json", "content-length": `${Buffer.byteLength(text)}` };
  return [{ method, target: `${path}?${new URLSearchParams(pairs)}`, headers: text === "" ? {} : headers, body: text }];
});

/** Sends requests over keep-alive connections for a time, and returns the number of responses. */
export async function load(url: string, ms: number, connections: number): Promise<number> {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const end = performance.now() + ms;
  let answered = 0;
  const caller = async (first: number): Promise<void> => {
    for (let round = first; performance.now() < end; round++) {
      const shot = shots[round % shots.length];
      if (shot === undefined) throw new Error("the contract has no examples");
      const status = await fire({ hostname, port, agent }, shot);
      if (status !== 200) throw new Error(`${shot.method} ${url}${shot.target} answered ${status}`);
      answered++;
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => caller(index)));
  agent.destroy();
  return answered;
}

function fire(to: { hostname: string; port: string; agent: Agent }, { method, target, headers, body }: Shot): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ ...to, method, path: target, headers }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? 0));
    });
    sent.once("error", reject);
    sent.end(body);
  });
}
