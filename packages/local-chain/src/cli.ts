#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { help, UsageError, type Wish, wishIn } from "./cli-options.ts";
import { ChainStoreError } from "./store/store-error.ts";

// Who reads our output may stop early, as `head` does; that is no failure of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

/** What a person can mend. Anything else is a mistake of ours, and keeps its stack. */
const expected: readonly string[] = [UsageError.name, ChainStoreError.name, "ChainOptionError"];

try {
  process.exitCode = await fulfil(wishIn(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof Error && expected.includes(error.name))) throw error;
  console.error(`chain-query-local-chain: ${error.message}`);
  process.exitCode = 2;
}

/** Each verb loads only what it needs: the virtual machine is large. */
async function fulfil(wish: Wish): Promise<number> {
  switch (wish.kind) {
    case "help":
      process.stdout.write(help);
      return 0;
    case "version":
      console.log(version());
      return 0;
    case "init":
      return (await import("./command/init.ts")).init(wish);
    case "run":
      return (await import("./command/run.ts")).run(wish);
    case "advance":
      return (await import("./command/advance.ts")).advance(wish);
    case "inspect":
      return (await import("./command/inspect.ts")).inspect(wish);
    case "verify":
      return (await import("./command/verify.ts")).verify(wish);
  }
}

function version(): string {
  const manifest: { version: string } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return manifest.version;
}
