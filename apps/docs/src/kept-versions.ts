/** The pages of earlier versions, which the published site itself keeps: a list, and an archive of each. */
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Where a published site keeps them. */
const list = "v/versions.json";
const archiveOf = (version: string): string => `v/${version}.tar.gz`;

/**
 * Reads which versions a published site keeps. A site that answers 404 has none yet; anything else that is no list fails, so that
 * a host that is down is never taken for one.
 */
export async function publishedVersions(siteUrl: string): Promise<string[]> {
  const url = `${siteUrl}${list}`;
  const response = await answerOf(url);
  if (response.status === 404) return [];
  const versions: unknown = response.ok ? await response.json().catch(() => undefined) : undefined;
  const isList = Array.isArray(versions) && versions.every((one) => typeof one === "string" && /^\d[\w.-]*$/.test(one));
  if (!isList) throw new RangeError(`${url} answered ${response.status} and no list of versions; nothing was published`);
  return versions;
}

/** Puts a version that a site keeps into a folder, with its archive, so that the folder keeps it in turn. */
export async function restoreVersion(siteUrl: string, version: string, folder: string): Promise<void> {
  const url = `${siteUrl}${archiveOf(version)}`;
  const response = await answerOf(url);
  if (!response.ok) throw new RangeError(`${url} answered ${response.status}, so version ${version} would be lost`);
  await mkdir(join(folder, "v", version), { recursive: true });
  await writeFile(join(folder, archiveOf(version)), Buffer.from(await response.arrayBuffer()));
  await run("tar", ["-xzf", join(folder, archiveOf(version)), "-C", join(folder, "v", version)]);
}

/** Makes the archive of a version that lies in the folder. */
export async function archiveVersion(version: string, folder: string): Promise<void> {
  await run("tar", ["-czf", join(folder, archiveOf(version)), "-C", join(folder, "v", version), "."]);
}

/** Writes the list of what the folder keeps. */
export async function listVersions(versions: readonly string[], folder: string): Promise<void> {
  await writeFile(join(folder, list), `${JSON.stringify(versions)}\n`);
}

async function answerOf(url: string): Promise<Response> {
  return fetch(url, { signal: AbortSignal.timeout(60_000) }).catch((error: unknown) => {
    const reason = error instanceof Error ? String(error.cause ?? error.message) : String(error);
    throw new RangeError(`${url} cannot be reached (${reason}); nothing was published`);
  });
}

/** Version of the contract whose pages are built. */
export async function currentVersion(): Promise<string> {
  const manifest = await readFile(new URL(import.meta.resolve("@chain-query/openapi/package.json")), "utf8");
  const { version }: { version: string } = JSON.parse(manifest);
  return version;
}
