/** Compares two bundles with `redocly diff`, reduced to the data of changelogs and release checks. */
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** One change of the contract. */
export interface Difference {
  /** The least bump of a release with this change. */
  bump: "patch" | "minor" | "major";
  /** The path of the API that it concerns, such as `/api/v2/lookupBlock`; absent if it concerns all. */
  path?: string;
  /** The place, such as `POST /api/v2/lookupBlock responses/200 description`. */
  where: string;
  /** Redocly's messages. */
  what: string;
}

/** The part of Redocly's report that is used. */
interface Report {
  changes: {
    path: string;
    kind: string;
    impact: Difference["bump"];
    property?: string;
    verdicts: { message: string; impact: Difference["bump"] }[];
    base?: { value?: unknown };
  }[];
}

const run = promisify(execFile);
const cli = dirname(createRequire(import.meta.url).resolve("@redocly/cli/package.json"));
const config = fileURLToPath(new URL("../released/redocly.yaml", import.meta.url));

/** Compares two bundles, given as paths. The version number is ignored: `version` writes it. */
export async function differencesOf(base: string, revision: string): Promise<Difference[]> {
  const flags = ["--config", config, "--format", "json", "--fail-on", "none"];
  const { stdout } = await run(process.execPath, [join(cli, "bin/cli.js"), "diff", base, revision, ...flags], {
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    maxBuffer: 1 << 28,
  });
  const { changes }: Report = JSON.parse(stdout);
  return changes.filter(({ path, property }) => path !== "#/info" || property !== "version").map(differenceOf);
}

function differenceOf({ path, kind, impact, property, verdicts, base: before }: Report["changes"][number]): Difference {
  const keys = path.split("/").slice(1).map(unescaped);
  const [root, api, method, ...rest] = keys;
  const messages = verdicts.filter((verdict) => verdict.impact === impact).map(({ message }) => message.replace(/\.$/, ""));
  const what = messages.length > 0 ? messages.join("; ") : kind;
  if (root !== "paths" || api === undefined) return { bump: impact, where: joined(keys.join("/"), property), what };
  // A renamed path is reported under the name that callers use.
  const known = property === "key" && method === undefined ? String(before?.value) : api;
  return { bump: impact, path: known, where: joined(method?.toUpperCase(), known, rest.join("/"), property), what };
}

function joined(...words: (string | undefined)[]): string {
  return words.filter(Boolean).join(" ");
}

function unescaped(key: string): string {
  return key.replaceAll("~1", "/").replaceAll("~0", "~");
}
