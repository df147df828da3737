/** A real service that makes blocks, on a copy of the run's chain. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import { type Service, serve } from "../src/processes/serve.ts";
import { optionsOf, temporaryFolder } from "./service.ts";

/** Copies the run's chain into a folder, as one that may be written. */
export function ownChain(folder: string): string {
  const chain = join(folder, "chain");
  cpSync(inject("chain"), chain, { recursive: true });
  return chain;
}

/** Starts a service that makes a block every second, without limits. */
export async function startProducing(...flags: string[]): Promise<Service & AsyncDisposable> {
  const folder = temporaryFolder();
  const service = await serve(
    optionsOf("--chain", ownChain(folder.path), "--block-interval", "1s", "--keyless-rate", "0", ...flags),
  );
  return {
    ...service,
    async [Symbol.asyncDispose]() {
      await service.close();
      folder[Symbol.dispose]();
    },
  };
}
