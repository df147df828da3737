/** Reads and writes the versions that the published site keeps: a list in v/versions.json, and an archive of each version. */
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

const versionsFile = "v/versions.json";
const archiveOf = (version: string): string => `v/${version}.tar.gz`;

/** Thrown before anything is published, because a kept version would be lost. */
export class PublicationError extends Error {
  override name = "PublicationError";
}

/**
 * The versions that a published site keeps; empty if it answers 404. Throws for other errors: if the host is down, its versions are
 * unknown, and publishing would delete them.
 */
export async function publishedVersions(siteUrl: string): Promise<string[]> {
  const url = `${siteUrl}${versionsFile}`;
  const response = await get(url);
  if (response.status === 404) return [];
  const versions: unknown = response.ok ? await response.json().catch(() => undefined) : undefined;
  const isList = Array.isArray(versions) && versions.every((one) => typeof one === "string" && /^\d[\w.-]*$/.test(one));
  if (!isList) throw new PublicationError(`${url}: expected a list of versions, got status ${response.status}`);
  return versions;
}

/** Downloads a version and its archive into a folder. */
export async function restoreVersion(siteUrl: string, version: string, folder: string): Promise<void> {
  const url = `${siteUrl}${archiveOf(version)}`;
  const response = await get(url);
  if (!response.ok)
    throw new PublicationError(`${url}: expected the archive of version ${version}, got status ${response.status}`);
  await mkdir(join(folder, "v", version), { recursive: true });
  await writeFile(join(folder, archiveOf(version)), Buffer.from(await response.arrayBuffer()));
  await run("tar", ["-xzf", join(folder, archiveOf(version)), "-C", join(folder, "v", version)]);
}

/** Makes the archive of a version in the folder. */
export async function archiveVersion(version: string, folder: string): Promise<void> {
  await run("tar", ["-czf", join(folder, archiveOf(version)), "-C", join(folder, "v", version), "."]);
}

/** Writes the list of the versions in the folder. */
export async function listVersions(versions: readonly string[], folder: string): Promise<void> {
  await writeFile(join(folder, versionsFile), `${JSON.stringify(versions)}\n`);
}

async function get(url: string): Promise<Response> {
  return fetch(url, { signal: AbortSignal.timeout(60_000) }).catch((error: unknown) => {
    const reason = error instanceof Error ? String(error.cause ?? error.message) : String(error);
    throw new PublicationError(`${url}: no answer (${reason})`);
  });
}

/** The version of the contract. */
export async function currentVersion(): Promise<string> {
  const manifest = await readFile(new URL(import.meta.resolve("@chain-query/openapi/package.json")), "utf8");
  const { version }: { version: string } = JSON.parse(manifest);
  return version;
}
