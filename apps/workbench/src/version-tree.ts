/** The tree that versions are made in, as it was where they were not made. */
import { execFileSync } from "node:child_process";

/** All that versions change. What else lies in the tree was not made here, and stays. */
const changed = [
  ".changeset",
  "openapi/openapi.yaml",
  "openapi/released",
  ":(glob)**/package.json",
  ":(glob)**/CHANGELOG.md",
  "pnpm-lock.yaml",
];

/** Takes back all that versions change in a tree that was clean before. */
export function restoreTree(root: string): void {
  const files = git(root, "diff", "--name-only", "-z", "HEAD", "--", ...changed)
    .split("\0")
    .filter(Boolean);
  if (files.length > 0) git(root, "checkout", "--quiet", "HEAD", "--", ...files);
  git(root, "clean", "-d", "--force", "--quiet", "--", ...changed);
}

function git(root: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" });
}
