/** The last step of `pnpm check`: what is generated and committed must be what the contract generates. */
import { execFileSync } from "node:child_process";
import { parseFlags, runCommand } from "./workspace/command.ts";

await runCommand(async () => {
  parseFlags({ options: {} });
  const stale = execFileSync("git", ["status", "--porcelain", "--", "*.gen.ts"], { encoding: "utf8" }).trimEnd();
  if (stale === "") return 0;
  console.error(`Generated files differ from those committed:\n${stale}\nMend it with: pnpm generate && git add '*.gen.ts'`);
  return 1;
});
