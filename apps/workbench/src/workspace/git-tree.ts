/** The working tree of git that a release is made from. */
import { execFileSync } from "node:child_process";
import { UsageError } from "./command-line.ts";

/** Runs git and returns its stdout. */
export function git(root: string, ...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" });
}

/** Throws a UsageError if the tree differs from its commit, because the result could not be made again from the commit. */
export function refuseDirtyTree(root: string, when = ""): void {
  const changed = git(root, "status", "--porcelain").trimEnd().split("\n").filter(Boolean);
  if (changed.length === 0) return;
  const first = changed[0]?.slice(3);
  const others = changed.length === 1 ? "" : ` and ${changed.length - 1} more`;
  throw new UsageError(
    `${first}${others} differ${changed.length === 1 ? "s" : ""} from the commit${when}; commit or stash first`,
  );
}
