/** A temporary folder with files, which may be a repository of git. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface Fixture {
  readonly folder: string;
  /** Writes files by their paths in the folder. */
  write(files: Readonly<Record<string, string>>): void;
  git(...args: readonly string[]): string;
  commit(): void;
  remove(): void;
}

export function makeFixture(): Fixture {
  const folder = mkdtempSync(join(tmpdir(), "chain-query-tools-"));
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgSign=false"];
  const git = (...args: readonly string[]) => execFileSync("git", [...identity, ...args], { cwd: folder, encoding: "utf8" });
  return {
    folder,
    write(files) {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
    },
    git,
    commit() {
      git("add", "--all");
      git("commit", "--quiet", "--message", "a change");
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
