/** A small workspace with a repository of its own, and a registry for it. */
import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { stringify } from "yaml";
import { root } from "../../src/command.ts";
import { pnpmCommand } from "../../src/release/pnpm.ts";

const program = fileURLToPath(new URL("../../src/release.ts", import.meta.url));

/** Three packages, of which the last in the alphabet comes first in the order of dependencies. */
export interface Fixture {
  folder: string;
  write(file: string, text: string): void;
  git(...args: string[]): string;
  commit(): void;
  /** Reads from and publishes to a registry. */
  use(registry: string, token?: string): void;
  /** What the release has in its environment besides. */
  env: Record<string, string>;
  release(...args: string[]): Promise<Released>;
  remove(): void;
}

/** How a release ended. */
export interface Released {
  code: number | null;
  stdout: string;
  stderr: string;
}

const manifest = (name: string, dependencies: Record<string, string> = {}) => ({
  name: `@fixture/${name}`,
  version: "1.0.0",
  description: "A package of a test",
  keywords: ["test"],
  homepage: "https://example.org",
  bugs: "https://example.org/issues",
  repository: "https://example.org/fixture.git",
  license: "MIT",
  type: "module",
  engines: { node: ">=20" },
  files: ["dist"],
  exports: "./dist/index.js",
  dependencies,
  publishConfig: { access: "public" },
});

/** The manifest of a package of the fixture, with changes. */
export function manifestOf(name: string, changes: Record<string, unknown> = {}): string {
  const dependencies =
    name === "zeta" ? {} : name === "mid" ? { "@fixture/zeta": "workspace:*" } : { "@fixture/mid": "workspace:*" };
  return JSON.stringify({ ...manifest(name, dependencies), ...changes });
}

export function makeFixture(): Fixture {
  const folder = mkdtempSync(join(tmpdir(), "chain-query-release-"));
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: folder, encoding: "utf8" });
  const commit = () => {
    git("add", "--all");
    git("commit", "--quiet", "--message", "one");
  };

  write("package.json", JSON.stringify({ name: "fixture", private: true, scripts: { build: "node build.js" } }));
  write("pnpm-workspace.yaml", stringify({ packages: ["packages/*"], verifyDepsBeforeRun: false, pmOnFail: "ignore" }));
  write(".gitignore", "dist/\nnode_modules/\n.npmrc\n");
  write(
    "build.js",
    `const fs = require("node:fs");
for (const name of fs.readdirSync("packages")) {
  fs.mkdirSync("packages/" + name + "/dist", { recursive: true });
  fs.copyFileSync("packages/" + name + "/index.js", "packages/" + name + "/dist/index.js");
}
`,
  );
  for (const name of ["alpha", "mid", "zeta"]) {
    write(`packages/${name}/package.json`, manifestOf(name));
    write(`packages/${name}/index.js`, `export default "${name}";\n`);
    write(`packages/${name}/README.md`, `# ${name}\n`);
    cpSync(join(root, "LICENSE"), join(folder, `packages/${name}/LICENSE`));
  }
  write("packages/inner/package.json", JSON.stringify({ name: "@fixture/inner", version: "0.0.0", private: true }));
  write("packages/inner/index.js", "");
  const [command = "", ...before] = pnpmCommand();
  execFileSync(command, [...before, "install", "--lockfile-only"], { cwd: folder, stdio: "pipe" });
  git("init", "--quiet", "--initial-branch=main");
  commit();

  const env: Record<string, string> = {};
  return {
    folder,
    write,
    git,
    commit,
    env,
    use(registry, token) {
      writeFileSync(join(folder, ".npmrc"), `@fixture:registry=${registry}\n`);
      if (token !== undefined)
        appendFileSync(join(folder, ".npmrc"), `${registry.replace(/^http:/, "")}:_authToken=${token}\n`);
    },
    release(...args) {
      const child = spawn(process.execPath, [program, ...args], {
        cwd: folder,
        env: { ...process.env, CHANGESETS_OUTPUT: join(folder, "dist/events"), ...env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let stdout = "";
      let stderr = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        stdout += text;
      });
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        stderr += text;
      });
      return new Promise((resolve) => child.once("close", (code) => resolve({ code, stdout, stderr })));
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
