/** A copy of the workspace with a repository of its own, in which versions are made. */
import { execFileSync, spawnSync } from "node:child_process";
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { keepReleased } from "../src/released.ts";
import { copyWorkspace } from "./workspace-copy.ts";

/** The packages that the contract is published as. */
export const group: readonly string[] = ["@chain-query/openapi", "@chain-query/types", "@chain-query/client"];

/** The copy, and what a maintainer does in it. */
export interface VersionCopy {
  folder: string;
  /** The version that it begins with. */
  old: string;
  git(...args: string[]): string;
  commit(): void;
  generate(): void;
  read(path: string): string;
  edit(path: string, from: string, to: string): void;
  versionOf(folder: string): string;
  /** Writes a changeset. */
  announce(level: string, names?: readonly string[], summary?: string, file?: string): void;
  run(file: string, ...args: string[]): { status: number | null; output: string };
  /** Makes it as it was. */
  reset(): void;
  remove(): void;
}

/** Makes a copy that begins as a release leaves it, whatever waits in the workspace. */
export function makeVersionCopy(): VersionCopy {
  const folder = copyWorkspace("version");
  const git = (...args: string[]): string => {
    const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgSign=false"];
    return execFileSync("git", [...identity, ...args], { cwd: folder, encoding: "utf8" });
  };

  const commit = (): void => {
    git("add", "--all");
    git("commit", "--quiet", "--message", "a change");
  };

  const generate = (): void => {
    execFileSync("pnpm", ["--silent", "run", "generate"], { cwd: folder, stdio: "pipe" });
  };

  const read = (path: string): string => {
    return readFileSync(join(folder, path), "utf8");
  };

  const edit = (path: string, from: string, to: string): void => {
    expect(read(path)).toContain(from);
    writeFileSync(join(folder, path), read(path).replace(from, to));
  };

  const versionOf = (home: string): string => {
    return JSON.parse(read(`${home}/package.json`)).version;
  };

  const announce = (
    level: string,
    names: readonly string[] = group,
    summary = "Something new for `lookupBlock`.",
    file = "a-change",
  ): void => {
    const releases = names.map((name) => `"${name}": ${level}\n`).join("");
    writeFileSync(join(folder, `.changeset/${file}.md`), `---\n${releases}---\n\n${summary}\n`);
  };

  const run = (file: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { cwd: folder, encoding: "utf8" });
    return { status, output: stdout + stderr };
  };

  for (const file of globSync(".changeset/{*.md,pre.json,pre}", { cwd: folder })) {
    if (file !== ".changeset/README.md") rmSync(join(folder, file), { recursive: true });
  }
  generate();
  const old = versionOf("openapi");
  keepReleased(folder, old);
  git("init", "--quiet");
  commit();
  git("tag", "start");
  return {
    folder,
    old,
    git,
    commit,
    generate,
    read,
    edit,
    versionOf,
    announce,
    run,
    reset() {
      git("reset", "--quiet", "--hard", "start");
      git("clean", "-d", "--force", "--quiet");
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
