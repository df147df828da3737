#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { help, UsageError, type Wish, wishIn } from "./cli-options.ts";
import { FolderError, judgeBodies } from "./judge-bodies.ts";
import { operationIds } from "./judge-body.ts";
import { printable } from "./preview.ts";
import { textOf } from "./report-text.ts";

// Who reads our output may stop early, as `head` does; that is no failure of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

try {
  await fulfil(wishIn(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError || error instanceof FolderError)) throw error;
  console.error(`chain-query-conformance: ${error.message}`);
  process.exitCode = 2;
}

async function fulfil(wish: Wish): Promise<void> {
  if (wish.kind === "help") process.stdout.write(help);
  else if (wish.kind === "version") console.log(version());
  else await reportBodies(wish.folder, wish.json);
}

async function reportBodies(folder: string, json: boolean): Promise<void> {
  const report = await judgeBodies(folder);
  if (report.totals.bodies === 0) {
    const skipped = report.skipped.length === 0 ? "" : `; skipped: ${report.skipped.map(printable).join(", ")}`;
    throw new UsageError(
      `nothing to judge in ${JSON.stringify(folder)}${skipped}; expected <operationId>/*.json or errors/*.json, where the operations are ${operationIds.join(", ")}`,
    );
  }
  process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : textOf(report, { colored: isColored() }));
  if (report.totals.unexplained > 0) process.exitCode = 1;
}

/** Colors are for a terminal, unless its owner has said no (https://no-color.org). */
function isColored(): boolean {
  return process.stdout.isTTY && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb";
}

function version(): string {
  const manifest: { version: string } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return manifest.version;
}
