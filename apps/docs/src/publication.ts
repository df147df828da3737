/** Makes the folder that is published. */
import { pathToFileURL } from "node:url";
import {
  archiveVersion,
  currentVersion,
  listVersions,
  PublicationError,
  publishedVersions,
  restoreVersion,
} from "./kept-versions.ts";
import { buildSite, readSources, type SiteSources } from "./site.ts";

export interface Publication {
  siteUrl: string;
  /** URL of the site that has the earlier versions. */
  earlier: string;
  /** Versions that the folder must contain. */
  released: readonly string[];
}

/** Makes the folder, which is emptied first. Throws a PublicationError before it changes anything if a version would be lost. */
export async function publish(out: string, { siteUrl, earlier, released }: Publication, sources?: SiteSources): Promise<void> {
  const current = await currentVersion();
  const kept = (await publishedVersions(earlier)).filter((one) => one !== current);
  const versions = [...kept, current];
  const missing = released.filter((one) => !versions.includes(one));
  if (missing.length > 0) {
    throw new PublicationError(`${earlier} does not have the released ${missing.join(", ")}; see Publishing in README.md`);
  }
  const root = pathToFileURL(`${out}/`);
  const read = sources ?? (await readSources());
  await buildSite(root, { siteUrl, versions }, read);
  for (const one of kept) await restoreVersion(earlier, one, out);
  await buildSite(new URL(`v/${current}/`, root), { siteUrl, versions, archive: true }, read);
  await archiveVersion(current, out);
  await listVersions(versions, out);
}
