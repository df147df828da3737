/** Judges a folder of recorded bodies. */
import type { Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type BodyReport, errorsFolder, judgeBytes, operationIds, unreadableBody, type Verdict } from "./judge-body.ts";
import { type KnownDeviation, knownDeviations } from "./known-deviations.ts";

/** The judgement of one file. */
export interface FileReport extends BodyReport {
  /** Path from the folder, always with `/`. */
  readonly file: string;
  /** The operationId, or `errors`. */
  readonly operation: string;
}

/** The judgement of a folder of recorded bodies. */
export interface BodiesReport {
  readonly files: readonly FileReport[];
  /** Folders and `.json` files where no body is expected. */
  readonly skipped: readonly string[];
  /** The known deviations that occur in the folder. */
  readonly knownDeviations: readonly KnownDeviation[];
  readonly totals: { readonly bodies: number; readonly conform: number; readonly known: number; readonly unexplained: number };
}

/** Thrown if a folder cannot be read; the message says which and why in one line. */
export class FolderError extends Error {
  override readonly name = "FolderError";
}

interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
}

const byName = new Intl.Collator("en", { numeric: true }).compare;

/**
 * Judges every `<operationId>/*.json` and `errors/*.json` of a folder.
 *
 * @example
 * ```ts
 * const { totals } = await judgeBodies("recorded");
 * process.exitCode = totals.unexplained > 0 ? 1 : 0;
 * ```
 * @throws FolderError if the folder, or one of its folders of bodies, cannot be read.
 */
export async function judgeBodies(folder: string): Promise<BodiesReport> {
  const files: FileReport[] = [];
  const skipped: string[] = [];
  for (const { name, isFolder } of await entriesOf(folder)) {
    if (isFolder && (name === errorsFolder || operationIds.includes(name))) {
      for (const entry of await entriesOf(join(folder, name))) {
        const file = `${name}/${entry.name}`;
        if (isBody(entry)) files.push({ file, operation: name, ...(await judgeFile(name, join(folder, name, entry.name))) });
        else if (isOutOfPlace(entry)) skipped.push(file);
      }
    } else if (isOutOfPlace({ name, isFolder })) skipped.push(name);
  }
  const occurring = new Set(files.flatMap(({ deviations }) => deviations.map(({ match }) => match)));
  return {
    files,
    skipped,
    knownDeviations: knownDeviations.filter(({ name }) => occurring.has(name)),
    totals: totalsOf(files),
  };
}

function isBody({ name, isFolder }: Entry): boolean {
  return !isFolder && !name.startsWith(".") && /\.json$/i.test(name);
}

/** The caller may have wanted these judged, so reports name them. */
function isOutOfPlace({ name, isFolder }: Entry): boolean {
  return isFolder || /\.json$/i.test(name);
}

async function judgeFile(operation: string, path: string): Promise<BodyReport> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    return unreadableBody("a readable file", reasonOf(error));
  }
  return judgeBytes(operation, bytes);
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

function totalsOf(files: readonly FileReport[]): BodiesReport["totals"] {
  const count = (wanted: Verdict): number => files.filter(({ verdict }) => verdict === wanted).length;
  return { bodies: files.length, conform: count("conforms"), known: count("known"), unexplained: count("unexplained") };
}
