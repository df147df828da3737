/** Gathers the input of the law of versions: both comparisons with the last release, and the waiting changesets. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { UsageError } from "../workspace/command-line.ts";
import { publicPackages } from "../workspace/packages.ts";
import { type Level, readChangesets } from "./changesets.ts";
import { readReleased } from "./last-release.ts";
import type { Change, Facts } from "./law.ts";

/** The members of a bundle that are read. */
export interface Bundle {
  info: { version: string };
  paths: Record<string, Record<string, { operationId?: string }>>;
}

/** A line of `openapi/.reports/compare.json`. */
export interface Difference {
  bump: Level;
  path?: string;
  where: string;
  what: string;
}

/** A line of `packages/types/.reports/compare.json`. */
export interface Break {
  subject: string;
  half: string;
  detail: string;
}

/** Resolves to the input of the law and the version of the last release. */
export async function gatherFacts(root: string): Promise<{ facts: Facts; since: string }> {
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
  return { facts: { changes, changesets, group: fixed[0], version, prefixes }, since: released.info.version };
}

/** Compares the contract and the types with the last release; turbo caches the results. */
async function compare(root: string): Promise<void> {
  const environment = { ...process.env, DO_NOT_TRACK: "1", TURBO_TELEMETRY_DISABLED: "1" };
  const options = { cwd: root, env: environment, shell: process.platform === "win32", maxBuffer: 1 << 26 };
  const turbo = join(root, "node_modules/.bin/turbo");
  await promisify(execFile)(turbo, ["run", "compare", "--output-logs=errors-only"], options).catch((error: unknown) => {
    if (!(error instanceof Error && "stdout" in error && "stderr" in error)) throw error;
    process.stderr.write(`${error.stdout}${error.stderr}`);
    throw new UsageError("the comparison with the last release failed; see the output above");
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
      ({ subject, half, detail }): Change => ({
        gate: "types",
        level: "major",
        where: `${half} of ${subject}`,
        what: detail,
        prefixes: concerned(pathOf.get(subject)),
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
