/**
 * The semver gate: `redocly diff` compares the contract with its last release, and the gate refuses breaks, and changes that no changeset
 * announces. The path prefix is the major version (D-32). Runs in the folder of the contract.
 */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseChangesetFile } from "@changesets/parse";
import { diff, inc, major } from "semver";
import { parse } from "yaml";

const group = ["@chain-query/openapi", "@chain-query/types", "@chain-query/client"];
const levels = ["patch", "minor", "major"] as const;
type Level = (typeof levels)[number];

/** The part of Redocly's report that is read. */
interface Report {
  changes: {
    path: string;
    kind: string;
    impact: Level;
    property?: string;
    verdicts: { message: string; impact: Level }[];
    base?: { value?: unknown };
  }[];
}

interface Change {
  level: Level;
  /** Such as `POST /api/v2/lookupBlock responses/200 description`. */
  where: string;
  what: string;
  /** The path of the API that it concerns; absent if it concerns all. */
  path?: string;
}

const changelogText = '-m "what changes for a reader of the changelog"';

try {
  console.log(`contract: ${checkContract()}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** Returns a line about the changes. Throws an error whose message lists them and says the fix, if they may not be released. */
function checkContract(): string {
  const baseline = findBaseline();
  const folder = mkdtempSync(join(tmpdir(), "chain-query-baseline-"));
  try {
    execFileSync("tar", ["-x", "-C", folder], { input: execFileSync("git", ["archive", baseline], { maxBuffer: 2 ** 28 }) });
    const changes = changesSince(folder);
    const required = highest(changes.map(({ level }) => level));
    const since = `since ${baseline}`;
    const [before, prefixes] = [prefixesOf(join(folder, "openapi.yaml")), prefixesOf("openapi.yaml")];
    // A change under a new prefix concerns no caller of the released ones.
    const broken = before.filter((each) => prefixes.includes(each));
    const breaking = changes.filter(
      ({ level, path }) => level === "major" && broken.some((each) => path === undefined || path.startsWith(each)),
    );
    if (breaking.length > 0) {
      const fix = "undo the change, or move every path to the next prefix and announce a major";
      throw violation(breaking, since, `This breaks callers of ${broken.join(" and ")}, which no changeset allows`, fix);
    }
    checkAnnouncement(changes, required, since, versionOf(folder), prefixes);
    return required === undefined ? `unchanged ${since}` : `${changes.length} changes ${since}, ${required}, announced`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Throws unless the versions made since the last release, or a changeset, cover the changes. */
function checkAnnouncement(changes: Change[], required: Level | undefined, since: string, before: string, prefixes: string[]) {
  const version = versionOf(".");
  const releases = globSync("../.changeset/*.md", { exclude: ["../.changeset/README.md"] }).map(
    (file) => new Map(parseChangesetFile(readFileSync(file, "utf8")).releases.map(({ name, type }) => [name, type])),
  );
  const planned = highest(releases.flatMap((each) => group.map((name) => each.get(name))));
  const next = (planned && inc(version, planned)) ?? version;
  const prefix = `/api/v${major(next)}/`;
  if (!prefixes.includes(prefix)) {
    const reason = `The changesets would make ${version} ${next}, and the contract has ${prefixes.join(" and ")} only`;
    throw violation([], since, reason, `write minor or patch, or move every path to ${prefix}`);
  }
  if (required === undefined) return;
  const made = diff(before, version)?.replace(/^pre(?=m|p)/, "");
  if (covers(made, required) || releases.some((each) => group.every((name) => covers(each.get(name), required)))) return;
  throw violation(
    changes.filter(({ level }) => covers(level, required)),
    since,
    `This needs a ${required} bump, and no changeset names ${group.join(", ")} with ${required} or more`,
    `pnpm changeset --${required} ${group.join(",")} ${changelogText}`,
  );
}

/** The tag of the last release, without prereleases, or the commit that the file `baseline` names until there is one. */
function findBaseline(): string {
  const [tag] = git("tag", "--list", "--sort=-version:refname", `${group[0]}@*`)
    .split("\n")
    .filter((name) => /@\d+\.\d+\.\d+$/.test(name));
  if (tag !== undefined) return tag;
  const commit = existsSync("baseline") ? readFileSync("baseline", "utf8").trim() : undefined;
  if (commit !== undefined && git("rev-parse", "--quiet", "--verify", `${commit}^{commit}`) !== "") return commit;
  const missing = commit === undefined ? `a tag of ${group[0]}` : `the commit ${commit} of openapi/baseline`;
  const flags = git("rev-parse", "--is-shallow-repository").trim() === "true" ? "--tags --unshallow" : "--tags";
  throw new Error(`This clone lacks ${missing}, which the contract is compared with.\nTo fix it: git fetch ${flags} origin`);
}

/** The output of git; an empty text if it fails. */
function git(...args: readonly string[]): string {
  try {
    return execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    return "";
  }
}

/** Compares the contract in a folder with this one. The version number is ignored: `version` writes it. */
function changesSince(folder: string): Change[] {
  const cli = dirname(createRequire(import.meta.url).resolve("@redocly/cli/package.json"));
  const config = fileURLToPath(new URL("redocly.yaml", import.meta.url));
  const files = [join(folder, "openapi.yaml"), "openapi.yaml"];
  const flags = ["--config", config, "--format", "json", "--fail-on", "none"];
  const output = execFileSync(process.execPath, [join(cli, "bin/cli.js"), "diff", ...files, ...flags], {
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { changes }: Report = JSON.parse(output);
  return changes.filter(({ path, property }) => path !== "#/info" || property !== "version").map(changeOf);
}

function changeOf({ path, kind, impact: level, property, verdicts, base }: Report["changes"][number]): Change {
  const keys = path.split("/").slice(1);
  const [root, api, method, ...rest] = keys.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  const messages = verdicts.filter((verdict) => verdict.impact === level).map(({ message }) => message.replace(/\.$/, ""));
  const what = messages.length > 0 ? messages.join("; ") : kind;
  const place = (...words: (string | undefined)[]) => words.filter(Boolean).join(" ");
  if (root !== "paths" || api === undefined) return { level, where: place(keys.join("/"), property), what };
  // A renamed path is reported under the name that callers use.
  const known = property === "key" && method === undefined ? String(base?.value) : api;
  return { level, where: place(method?.toUpperCase(), known, rest.join("/"), property), what, path: known };
}

/** The prefixes of the paths, such as `/api/v2/`. */
function prefixesOf(file: string): string[] {
  const { paths }: { paths: object } = parse(readFileSync(file, "utf8"));
  return [...new Set(Object.keys(paths).flatMap((path) => /^\/api\/v\d+\//.exec(path) ?? []))];
}

function versionOf(folder: string): string {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version;
}

function covers(level: string | undefined, required: Level): boolean {
  return level !== undefined && highest([level, required]) === level;
}

function highest(some: readonly (string | undefined)[]): Level | undefined {
  return levels.findLast((level) => some.includes(level));
}

function violation(changes: readonly Change[], since: string, reason: string, fix: string): Error {
  const lines = changes.slice(0, 20).map(({ level, where, what }) => `  ${level}  ${where}: ${what}`);
  if (changes.length > 20) lines.push(`  and ${changes.length - 20} more`);
  const heading = changes.length > 0 ? [`Changed ${since}:`] : [];
  return new Error([...heading, ...lines, `${reason}.`, `To fix it: ${fix}`].join("\n"));
}
