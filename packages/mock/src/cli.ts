#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { help, UsageError, type Wish, wishIn } from "./cli-options.ts";
import { ListenError } from "./listen.ts";
import { startMock } from "./mock.ts";

try {
  await fulfil(wishIn(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError || error instanceof ListenError)) throw error;
  console.error(`chain-query-mock: ${error.message}`);
  process.exitCode = 2;
}

async function fulfil(wish: Wish): Promise<void> {
  if (wish.kind === "help") process.stdout.write(help);
  else if (wish.kind === "version") console.log(version());
  else await serve(wish.port, wish.host);
}

async function serve(port: number, host: string): Promise<void> {
  const mock = await startMock({ port, host });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => mock.close());
  console.log(`The mock answers at ${mock.url} until Ctrl-C. Try:\n  curl ${mock.url}/api/v2/getMasterchainInfo`);
}

function version(): string {
  const manifest: { version: string } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return manifest.version;
}
