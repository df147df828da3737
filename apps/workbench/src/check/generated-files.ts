/** Part of `pnpm check`: fails if a generated file differs from the committed one. */
import { execFileSync } from "node:child_process";
import { runCommand } from "../workspace/command-line.ts";

await runCommand(
  "generated-files",
  { "": { summary: "fails if a generated file differs from the committed one", flags: {} } },
  async () => {
    const stale = execFileSync("git", ["status", "--porcelain", "--", "*.gen.ts"], { encoding: "utf8" }).trimEnd();
    if (stale === "") return 0;
    console.error(`Generated files differ from the committed ones:\n${stale}\nTo fix it: pnpm generate && git add '*.gen.ts'`);
    return 1;
  },
);
