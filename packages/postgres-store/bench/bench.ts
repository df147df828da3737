/** `pnpm bench index`: reading, writing and disk space. */
import { parseArgs } from "node:util";
import { benchReads } from "./reads.ts";
import { benchWrites } from "./writes.ts";

const parts = { reads: benchReads, writes: benchWrites };

const { values } = parseArgs({ options: { only: { type: "string" } } });
const chosen = values.only?.split(",") ?? Object.keys(parts);
for (const name of chosen) {
  if (!(name in parts)) {
    console.error(`--only: expected ${Object.keys(parts).join(" or ")}, got ${name}`);
    process.exit(2);
  }
}
for (const [name, run] of Object.entries(parts)) if (chosen.includes(name)) await run();
