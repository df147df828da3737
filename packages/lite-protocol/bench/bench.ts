/** `pnpm bench lite`: the client beside another one, and malformed frames. */
import { parseArgs } from "node:util";
import { benchFrames } from "./frames.ts";
import { benchThroughput } from "./throughput.ts";

const parts = { throughput: benchThroughput, frames: benchFrames };

const { values } = parseArgs({ options: { only: { type: "string" } } });
const chosen = values.only?.split(",") ?? Object.keys(parts);
for (const name of chosen) {
  if (!(name in parts)) {
    console.error(`--only: expected ${Object.keys(parts).join(" or ")}, got ${name}`);
    process.exit(2);
  }
}
let isGood = true;
for (const [name, run] of Object.entries(parts)) if (chosen.includes(name)) isGood = (await run()) && isGood;
process.exitCode = isGood ? 0 : 1;
