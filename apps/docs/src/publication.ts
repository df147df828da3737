/** Makes the folder that is published: the latest version, and the versions that the published site keeps and lists in v/versions.json. */
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { UserError } from "@chain-query/command-line";
import { buildSite, readSources, type SiteSources } from "./site.ts";

interface Publication {
  siteUrl: string;
  /** URL of the site that has the earlier versions. */
  earlier: string;
  /** Versions that the folder must contain. */
  released: readonly string[];
}

/** Makes the folder, which is emptied first. Throws a UserError before it changes anything if a version would be lost. */
export async function publish(out: string, { siteUrl, earlier, released }: Publication, sources?: SiteSources): Promise<void> {
  const current = await currentVersion();
  const kept = (await publishedVersions(earlier)).filter((one) => one !== current);
  const versions = [...kept, current];
  const missing = released.filter((one) => !versions.includes(one));
  if (missing.length > 0) {
    throw new UserError(`${earlier} does not have the released ${missing.join(", ")}; see Publishing in README.md`);
  }
  const root = pathToFileURL(`${out}/`);
  const read = sources ?? (await readSources());
  await buildSite(root, { siteUrl, versions }, read);
  for (const one of kept) await restoreVersion(earlier, one, out);
  await buildSite(new URL(`v/${current}/`, root), { siteUrl, versions, archive: true }, read);
  await archiveVersion(current, out);
  await listVersions(versions, out);
}

const run = promisify(execFile);

const versionsFile = "v/versions.json";
const archiveOf = (version: string): string => `v/${version}.tar.gz`;

/**
 * The versions that a published site keeps; empty if it responds with 404. Throws for other errors: if the host is down, its versions are
 * unknown, and publishing would delete them.
 */
async function publishedVersions(siteUrl: string): Promise<string[]> {
  const url = `${siteUrl}${versionsFile}`;
  const response = await get(url);
  if (response.status === 404) return [];
  const versions: unknown = response.ok ? await response.json().catch(() => undefined) : undefined;
  const isList = Array.isArray(versions) && versions.every((one) => typeof one === "string" && /^\d[\w.-]*$/.test(one));
  if (!isList) throw new UserError(`${url}: expected a list of versions, got status ${response.status}`);
  return versions;
}

/** Downloads a version and its archive into a folder. */
async function restoreVersion(siteUrl: string, version: string, folder: string): Promise<void> {
  const url = `${siteUrl}${archiveOf(version)}`;
  const response = await get(url);
  if (!response.ok) throw new UserError(`${url}: expected the archive of version ${version}, got status ${response.status}`);
  await mkdir(join(folder, "v", version), { recursive: true });
  await writeFile(join(folder, archiveOf(version)), Buffer.from(await response.arrayBuffer()));
  await run("tar", ["-xzf", join(folder, archiveOf(version)), "-C", join(folder, "v", version)]);
}

/** Makes the archive of a version in the folder. */
async function archiveVersion(version: string, folder: string): Promise<void> {
  await run("tar", ["-czf", join(folder, archiveOf(version)), "-C", join(folder, "v", version), "."]);
}

/** Writes the list of the versions in the folder. */
async function listVersions(versions: readonly string[], folder: string): Promise<void> {
  await writeFile(join(folder, versionsFile), `${JSON.stringify(versions)}\n`);
}

async function get(url: string): Promise<Response> {
  return fetch(url, { signal: AbortSignal.timeout(60_000) }).catch((error: unknown) => {
    const reason = error instanceof Error ? String(error.cause ?? error.message) : String(error);
    throw new UserError(`${url}: no response (${reason})`);
  });
}

/** The version of the contract. */
export async function currentVersion(): Promise<string> {
  const manifest = await readFile(new URL(import.meta.resolve("@chain-query/openapi/package.json")), "utf8");
  const { version }: { version: string } = JSON.parse(manifest);
  return version;
}
