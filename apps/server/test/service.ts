/** A real service on a free port, over the run's chain, with keys of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { parseServeOptions } from "../src/command/arguments.ts";
import { type KeyStore, openKeyStore } from "../src/limits/key-store.ts";
import { type Service, serve } from "../src/processes/serve.ts";
import type { ServeOptions } from "../src/serve-options.ts";

export interface TestService extends AsyncDisposable, Service {
  readonly keys: KeyStore;
}

/** A folder that goes when its test does. */
export function temporaryFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), "chain-query-server-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** The options of serving the run's chain as it is, without limits; more flags change them. */
export function optionsOf(...flags: string[]): ServeOptions {
  return parseServeOptions(["--port", "0", "--log-level", "silent", ...flags], {});
}

/** Starts a service; without other flags it has no limits. */
export async function startService(...flags: string[]): Promise<TestService> {
  const folder = temporaryFolder();
  const defaults = ["--chain", inject("chain"), "--keys", join(folder.path, "keys"), "--no-produce"];
  const given = flags.includes("--keyless-rate") ? flags : ["--keyless-rate", "0", ...flags];
  const options = optionsOf(...defaults, ...given);
  const service = await serve(options);
  const keys = openKeyStore(options.keys);
  return {
    ...service,
    keys,
    async [Symbol.asyncDispose]() {
      await service.close();
      await keys.close();
      folder[Symbol.dispose]();
    },
  };
}
