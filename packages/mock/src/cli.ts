#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { help, type Talk, type Wish, wishIn } from "./cli-options.ts";
import { curlLines } from "./curl.ts";
import { ListenError } from "./listen.ts";
import { jsonLine, line } from "./log.ts";
import { startMock } from "./mock.ts";
import { OptionError } from "./option-error.ts";
import type { MockOptions } from "./options.ts";

// Whoever reads the output may stop reading it, as `head` does.
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => process.exit(code === "EPIPE" ? 0 : 1));

async function fulfil(wish: Wish): Promise<void> {
  if (wish.kind === "help") process.stdout.write(help);
  else if (wish.kind === "version") console.log(version());
  else await serve(wish.options, wish.talk);
}

const loggers: Record<Talk, Pick<MockOptions, "log">> = {
  quiet: {},
  lines: { log: (entry) => console.log(line(entry)) },
  json: { log: (entry) => console.log(jsonLine(entry)) },
};

const greetings: Record<Talk, (url: string) => string> = {
  quiet: (url) => url,
  lines: (url) => `The mock answers at ${url} until Ctrl-C. Try:\n\n${curlLines(url).join("\n")}\n`,
  json: (url) => JSON.stringify({ time: new Date().toISOString(), url }),
};

async function serve(options: MockOptions, talk: Talk): Promise<void> {
  const mock = await startMock({ ...options, ...loggers[talk] });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => mock.close());
  console.log(greetings[talk](mock.url));
}

function version(): string {
  const manifest: { version: string } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return manifest.version;
}

try {
  await fulfil(wishIn(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof OptionError || error instanceof ListenError)) throw error;
  console.error(`chain-query-mock: ${error.message}`);
  process.exitCode = 2;
}
