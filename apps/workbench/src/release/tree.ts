/** What git says of the tree that a release is made of. */
import { execFileSync } from "node:child_process";
import { UsageError } from "../command.ts";

const git = (root: string, ...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trimEnd();

/** Refuses a tree that differs from its commit, since nobody could make of it what `verb` does once more. */
export function refuseDirtyTree(root: string, verb: string, after = ""): void {
  const changed = git(root, "status", "--porcelain").split("\n").filter(Boolean);
  if (changed.length === 0) return;
  const first = changed[0]?.slice(3);
  const others = changed.length === 1 ? "" : ` and ${changed.length - 1} more`;
  throw new UsageError(
    `${verb}: ${first}${others} differ${changed.length === 1 ? "s" : ""} from the commit${after}; commit or stash first`,
  );
}

/** The tags that the repository has. */
export function tagsOf(root: string): Set<string> {
  return new Set(git(root, "tag", "--list").split("\n"));
}

/** Marks the commit with the version that was published from it. */
export function tag(root: string, name: string): void {
  git(root, "tag", name);
}
