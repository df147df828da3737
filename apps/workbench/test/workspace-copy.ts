/** A copy of the workspace as it stands, uncommitted work too, for tests that change it. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "../src/workspace/command.ts";

/** Copies what git knows or would add, and installs it; the caller removes the folder. */
export function copyWorkspace(purpose: string, ...installFlags: string[]): string {
  const copy = mkdtempSync(join(tmpdir(), `chain-query-${purpose}-`));
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  for (const file of files.split("\0").filter((name) => name !== "" && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  const flags = ["--frozen-lockfile", "--prefer-offline", ...installFlags];
  execFileSync("pnpm", ["install", ...flags], { cwd: copy, stdio: "pipe" });
  return copy;
}
