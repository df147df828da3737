/** Validates a folder of recorded bodies, and makes a report of the outcome, as for a service. */
import type { Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "@chain-query/command-line";
import { type Report, type Result, totalsOf, version } from "../report/report.ts";
import { type KnownDeviation, knownDeviations } from "./known-deviations.ts";
import {
  type BodyOutcome,
  type BodyReport,
  errorsFolder,
  operationIds,
  unexplained,
  unreadableBody,
  validateBytes,
} from "./validate-body.ts";

/** The outcome of one file. */
export interface FileReport extends BodyReport {
  /** Path from the folder, always with `/`. */
  readonly file: string;
  /** The operationId, or `errors`. */
  readonly operation: string;
}

/** The outcome of a folder of recorded bodies. */
export interface BodiesReport {
  readonly files: readonly FileReport[];
  /** Folders and `.json` files in other places. */
  readonly skipped: readonly string[];
  /** The known deviations that occur in the folder. */
  readonly knownDeviations: readonly KnownDeviation[];
  readonly totals: { readonly bodies: number; readonly conform: number; readonly known: number; readonly unexplained: number };
}

/** Thrown if a folder cannot be read; the message names it and the reason in one line. */
export class FolderError extends UserError {
  override readonly name = "FolderError";
}

interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
}

const byName = new Intl.Collator("en", { numeric: true }).compare;

/**
 * Validates every `<operationId>/*.json` and `errors/*.json` of a folder.
 *
 * @example
 * ```ts
 * const { totals } = await validateBodies("recorded");
 * process.exitCode = totals.unexplained > 0 ? 1 : 0;
 * ```
 * @throws FolderError if the folder, or one of its folders of bodies, cannot be read.
 */
export async function validateBodies(folder: string): Promise<BodiesReport> {
  const files: FileReport[] = [];
  const skipped: string[] = [];
  for (const { name, isFolder } of await entriesOf(folder)) {
    if (isFolder && (name === errorsFolder || operationIds.includes(name))) {
      for (const entry of await entriesOf(join(folder, name))) {
        const file = `${name}/${entry.name}`;
        if (isBody(entry)) files.push({ file, operation: name, ...(await validateFile(name, join(folder, name, entry.name))) });
        else if (isOutOfPlace(entry)) skipped.push(file);
      }
    } else if (isOutOfPlace({ name, isFolder })) skipped.push(name);
  }
  const occurring = new Set(files.flatMap(({ deviations }) => deviations.map(({ match }) => match)));
  return {
    files,
    skipped,
    knownDeviations: knownDeviations.filter(({ name }) => occurring.has(name)),
    totals: bodyTotals(files),
  };
}

function isBody({ name, isFolder }: Entry): boolean {
  return !isFolder && !name.startsWith(".") && /\.json$/i.test(name);
}

/** Reports name these, because the caller may expect them to be validated. */
function isOutOfPlace({ name, isFolder }: Entry): boolean {
  return isFolder || /\.json$/i.test(name);
}

async function validateFile(operation: string, path: string): Promise<BodyReport> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    return unreadableBody("a readable file", reasonOf(error));
  }
  return validateBytes(operation, bytes);
}

async function entriesOf(folder: string): Promise<Entry[]> {
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    throw new FolderError(`cannot read the folder ${JSON.stringify(folder)}: ${reasonOf(error)}`);
  }
  const resolved = entries.map(async (entry) => ({
    name: entry.name,
    isFolder: entry.isSymbolicLink() ? await leadsToFolder(join(folder, entry.name)) : entry.isDirectory(),
  }));
  return (await Promise.all(resolved)).sort((a, b) => byName(a.name, b.name));
}

/** A broken link counts as a file; reading it fails later. */
async function leadsToFolder(path: string): Promise<boolean> {
  const target = await stat(path).catch(() => undefined);
  return target?.isDirectory() ?? false;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  ENOTDIR: "it is not a folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
};

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? String(error.code) : "";
  return reasons[code] ?? error.message;
}

function bodyTotals(files: readonly FileReport[]): BodiesReport["totals"] {
  const count = (wanted: BodyOutcome): number => files.filter(({ outcome }) => outcome === wanted).length;
  return { bodies: files.length, conform: count("conforms"), known: count("known"), unexplained: count("unexplained") };
}

/** The same outcome as a report. A body with only known deviations is not applicable; `reason` names them. */
export function reportOfBodies(folder: string, { files }: BodiesReport, startedAt: Date): Report {
  const results = files.map(resultOf);
  return {
    target: folder,
    profile: "bodies",
    seed: undefined,
    version,
    startedAt: startedAt.toISOString(),
    milliseconds: Date.now() - startedAt.getTime(),
    requests: 0,
    interrupted: false,
    results,
    totals: totalsOf(results),
  };
}

function resultOf({ file, operation, outcome, deviations }: FileReport): Result {
  const violations = deviations
    .filter(({ match }) => match === unexplained)
    .map(({ path, expected, got, rule }) => ({ request: `${file}${path === "" ? "" : `#${path}`}`, expected, got, rule }));
  const known = [...new Set(deviations.map(({ match }) => match))].filter((match) => match !== unexplained);
  return {
    id: file,
    operation,
    description: "the recorded body matches the contract",
    rule: violations[0]?.rule ?? "#/components/schemas",
    outcome: outcome === "conforms" ? "passed" : outcome === "known" ? "not applicable" : "failed",
    ...(outcome === "known" ? { reason: `known of an older generation: ${known.join(", ")}` } : {}),
    milliseconds: 0,
    violations,
    omitted: 0,
  };
}
