#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { ChainStoreError } from "@chain-query/local-chain";
import { KeyStoreError } from "./limits/key-store.ts";
import { serveHelp } from "./options/help.ts";
import { fulfilKeys, keysWishIn } from "./options/keys-command.ts";
import { OptionError } from "./options/option-error.ts";
import { serveWishIn } from "./options/read-options.ts";
import type { ServeOptions } from "./options/serve-options.ts";
import { serve } from "./processes/serve.ts";

// Whoever reads the output may stop reading it, as `head` does.
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => process.exit(code === "EPIPE" ? 0 : 1));

try {
  const [command, ...rest] = process.argv.slice(2);
  if (command === "keys") await fulfilKeys(keysWishIn(rest, process.env));
  else await fulfil(process.argv.slice(2));
} catch (error) {
  fail(error);
}

async function fulfil(args: readonly string[]): Promise<void> {
  const wish = serveWishIn(args, process.env);
  if (wish.kind === "help") process.stdout.write(serveHelp);
  else if (wish.kind === "version") console.log(version());
  else await run(wish.options);
}

async function run(options: ServeOptions): Promise<void> {
  let stopped = false;
  const stop = new Promise<void>((resolve) => {
    const heard = (): void => {
      // Asked twice, it ends at once.
      if (stopped) process.exit(130);
      stopped = true;
      resolve();
    };
    process.on("SIGINT", heard);
    process.on("SIGTERM", heard);
  });
  const service = await serve(options, progress());
  console.log(service.url);
  await stop;
  await service.close();
  process.exit(0);
}

/** A line that is written over on a terminal, and nothing in a pipe. */
function progress(): ((step: number, of: number) => void) | undefined {
  if (!process.stderr.isTTY) return undefined;
  return (step, of) => process.stderr.write(`\rmaking a chain: block ${step} of ${of}${step === of ? "\n" : ""}`);
}

function version(): string {
  const manifest: { version: string } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return manifest.version;
}

/** What the operator can mend is a line for each mistake; a fault of the program keeps its stack. */
function fail(error: unknown): void {
  const isExpected = error instanceof OptionError || error instanceof ChainStoreError || error instanceof KeyStoreError;
  if (!isExpected) throw error;
  for (const line of error.message.split("\n")) console.error(`chain-query-server: ${line}`);
  process.exitCode = 2;
}
