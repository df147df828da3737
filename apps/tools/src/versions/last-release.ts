/** The last released contract: keeps a copy of it, which `pnpm run version` writes, and compares the current contract with that copy. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { UserError } from "@chain-query/command-line";
import { parse } from "yaml";
import { publicPackages } from "../workspace/packages.ts";
import { ownEnvironment } from "../workspace/processes.ts";
import { type Level, readChangesets } from "./changesets.ts";
import type { Change, PendingRelease } from "./semver-policy.ts";

const releasedCopy = "openapi/released/openapi.yaml";
const record = `${releasedCopy}.sha256`;

/** Copies the built bundle to the released one and writes its digest in the format of `sha256sum`. */
export function keepReleased(root: string, version: string): void {
  const bundle = readFileSync(join(root, "openapi/dist/openapi.yaml"), "utf8");
  const text = `# The bundle of @chain-query/openapi ${version}, which the next release is compared with.\n# Written by \`pnpm run version\`; ${basename(record)} detects edits.\n${bundle}`;
  mkdirSync(dirname(join(root, releasedCopy)), { recursive: true });
  writeFileSync(join(root, releasedCopy), text);
  writeFileSync(join(root, record), `${digest(text)}  ${basename(releasedCopy)}\n`);
}

/** Reads the last released bundle. Throws a UserError if it is missing or was edited. */
export function readReleased(root: string): string {
  const [text, recorded] = [releasedCopy, record].map((path) => read(join(root, path)));
  const missing = text === undefined ? releasedCopy : recorded === undefined ? record : undefined;
  if (missing !== undefined) throw new UserError(`${missing} is missing; ${remedy}`);
  if (recorded !== `${digest(text ?? "")}  ${basename(releasedCopy)}\n`) {
    throw new UserError(`${releasedCopy} does not match its digest in ${record}; ${remedy}`);
  }
  return text ?? "";
}

const remedy = `only \`pnpm run version\` writes it; restore it with \`git log -- ${dirname(releasedCopy)}\``;

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The members of a bundle that are read. */
export interface Bundle {
  info: { version: string };
  paths: Record<string, Record<string, { operationId?: string }>>;
}

/** An entry of `openapi/.reports/compare.json`. */
export interface Difference {
  bump: Level;
  path?: string;
  where: string;
  what: string;
}

/** An entry of `packages/types/.reports/compare.json`. */
export interface Break {
  name: string;
  half: string;
  detail: string;
}

/** Compares the tree with the last release, and resolves to the pending one and the version of the last. */
export async function pendingRelease(root: string): Promise<{ release: PendingRelease; since: string }> {
  const released: Bundle = parse(readReleased(root));
  const packages = publicPackages(root).map(({ name }) => name);
  const changesets = readChangesets(root, packages);
  const { fixed }: { fixed: [string[]] } = readJson(root, ".changeset/config.json");
  await compare(root);
  const changes = changesOf(
    released,
    readJson(root, "openapi/.reports/compare.json"),
    readJson(root, "packages/types/.reports/compare.json"),
  );
  const { version }: { version: string } = readJson(root, "openapi/package.json");
  const prefixes = prefixesOf(readJson<Bundle>(root, "openapi/dist/openapi.json"));
  return { release: { changes, changesets, group: fixed[0], version, prefixes }, since: released.info.version };
}

/** Compares the contract and the types with the last release; turbo caches the results. */
async function compare(root: string): Promise<void> {
  const options = { cwd: root, env: ownEnvironment(), shell: process.platform === "win32", maxBuffer: 1 << 26 };
  const turbo = join(root, "node_modules/.bin/turbo");
  await promisify(execFile)(turbo, ["run", "compare", "--output-logs=errors-only"], options).catch((error: unknown) => {
    if (!(error instanceof Error && "stdout" in error && "stderr" in error)) throw error;
    process.stderr.write(`${error.stdout}${error.stderr}`);
    throw new UserError("the comparison with the last release failed; see the output above");
  });
}

/** Joins the findings of both comparisons. */
export function changesOf(released: Bundle, differences: readonly Difference[], breaks: readonly Break[]): Change[] {
  const all = prefixesOf(released);
  const pathOf = new Map(
    Object.entries(released.paths).flatMap(([path, methods]) =>
      Object.values(methods).map(({ operationId = "" }) => [operationId, path] as const),
    ),
  );
  // A change under a new prefix concerns no caller of the released ones.
  const concerned = (path: string | undefined) => (path === undefined ? all : all.filter((each) => prefixOf(path) === each));
  return [
    ...differences.map(
      ({ bump, path, where, what }): Change => ({ gate: "contract", level: bump, where, what, prefixes: concerned(path) }),
    ),
    ...breaks.map(
      ({ name, half, detail }): Change => ({
        gate: "types",
        level: "major",
        where: `${half} of ${name}`,
        what: detail,
        prefixes: concerned(pathOf.get(name)),
      }),
    ),
  ];
}

/** The path prefixes of a bundle, as major versions. */
export function prefixesOf({ paths }: Bundle): number[] {
  return [...new Set(Object.keys(paths).flatMap((path) => prefixOf(path) ?? []))].sort((one, other) => one - other);
}

function prefixOf(path: string): number | undefined {
  const digits = /^\/api\/v(\d+)\//.exec(path)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function readJson<Value>(root: string, path: string): Value {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}
