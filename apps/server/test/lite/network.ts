/** Services on lite servers. */
import { join } from "node:path";
import { resultOf, until } from "../fixtures/ask.ts";
import { type RunningCommand, start } from "../fixtures/command.ts";
import type { TestOptions } from "../fixtures/service.ts";
import { temporaryFolder } from "../fixtures/service.ts";

/** A service in a process of its own. */
export interface WireService extends RunningCommand {
  /** Base URL. */
  readonly at: string;
}

/** Starts the service on a configuration of lite servers, without limits of callers or of queries. */
export async function startWireService(config: string, ...flags: string[]): Promise<WireService> {
  const folder = temporaryFolder();
  const common = ["--port=0", "--keyless-rate=0", "--lite-rate=10000", "--keys", join(folder.path, "keys")];
  const command = start(...common, "--lite-servers", config, ...flags);
  const at = await command.url;
  return {
    ...command,
    at,
    async [Symbol.asyncDispose]() {
      await command[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** Options of a service in this process, without limits of queries. */
export function onLiteServers(servers: string, trust: "none" | "proofs"): TestOptions {
  return { source: { kind: "network", servers, archival: undefined, trust, rate: 10_000 } };
}

/** Waits until the consensus block of a service is a masterchain block or a later one. */
export async function waitForHead(url: string, seqno: number): Promise<void> {
  await until(async () => {
    if (!(await fetch(`${url}/readyz`)).ok) return undefined;
    const { consensus_block } = await resultOf(url, "getConsensusBlock");
    return consensus_block >= seqno || undefined;
  });
}
