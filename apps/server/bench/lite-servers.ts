/** Lite servers over a chain in a folder, each in a process of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The part of a configuration that names the servers. */
export interface GlobalConfig {
  readonly liteservers: readonly object[];
}

/** One lite server. */
export interface LiteServerProcess extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly config: GlobalConfig;
}

/** Several lite servers. */
export interface LiteNetwork extends AsyncDisposable {
  /** Path of the configuration with all servers. */
  readonly config: string;
  readonly servers: readonly LiteServerProcess[];
}

/** Starts `chain-query-local-chain serve` on a folder. */
async function startLiteServer(chain: string, ...flags: string[]): Promise<LiteServerProcess> {
  const args = [localChainProgram(), "serve", chain, "--port", "0", ...flags];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const config = await printedConfig(child);
  return {
    child,
    config,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const closed = once(child, "close");
      child.kill("SIGTERM");
      await closed;
    },
  };
}

function localChainProgram(): string {
  const manifest = fileURLToPath(import.meta.resolve("@chain-query/local-chain/package.json"));
  const { bin }: { bin: Record<string, string> } = JSON.parse(readFileSync(manifest, "utf8"));
  return join(dirname(manifest), bin["chain-query-local-chain"] ?? "");
}

function printedConfig(child: ChildProcess): Promise<GlobalConfig> {
  return new Promise((resolve, reject) => {
    let printed = "";
    child.stdout?.setEncoding("utf8").on("data", (part: string) => {
      printed += part;
      if (!/\}\s*$/.test(printed)) return;
      try {
        resolve(JSON.parse(printed));
      } catch {
        // The rest follows.
      }
    });
    child.once("close", (code) => reject(new Error(`the lite server exited with ${code} before it listened: ${printed}`)));
  });
}

/** Starts lite servers over a folder, and writes their common configuration. */
export async function startLiteServers(chain: string, count: number): Promise<LiteNetwork> {
  const folder = mkdtempSync(join(tmpdir(), "lite-servers-"));
  // A client knows servers by their keys.
  const keys = Array.from({ length: count }, (_, index) => join(folder, `${index}.key`));
  const servers = await Promise.all(keys.map((file) => startLiteServer(chain, "--key-file", file)));
  return {
    config: writeConfig(
      folder,
      servers.map(({ config }) => config),
    ),
    servers,
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Merges the servers of several configurations of a network into one file. Returns its path. */
export function writeConfig(folder: string, configs: readonly GlobalConfig[]): string {
  const path = join(folder, "global.config.json");
  const liteservers = configs.flatMap((config) => config.liteservers);
  writeFileSync(path, JSON.stringify({ ...configs[0], liteservers }));
  return path;
}
