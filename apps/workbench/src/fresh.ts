/** The last step of `pnpm check`: what is generated and committed must be what the contract generates. */
import { execFileSync } from "node:child_process";

const stale = execFileSync("git", ["status", "--porcelain", "--", "*.gen.ts"], { encoding: "utf8" }).trimEnd();
if (stale !== "") {
  console.error(`Generated files differ from those committed:\n${stale}\nMend it with: pnpm generate && git add '*.gen.ts'`);
  process.exitCode = 1;
}
