/** Makes the folder that is published: the latest pages at its root, and the pages of every released version below v/. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { parseSiteUrl, runCommand } from "./command-line.ts";
import { archiveVersion, currentVersion, listVersions, publishedVersions, restoreVersion } from "./kept-versions.ts";
import { defaultSiteUrl } from "./site/options.ts";
import { buildSite } from "./site.ts";

const help = `Makes the folder that is published. Earlier versions come from the site as it is published now.

  node src/publish.ts --out FOLDER [--site-url URL] [--earlier URL] [--released LIST]

  --out FOLDER      where to; it is emptied first
  --site-url URL    where the site is published (${defaultSiteUrl}, or SITE_URL)
  --earlier URL     where earlier versions are read from (the site as it is published)
  --released LIST   versions that must be there in the end, with commas between them; one that is not ends the command
  --help            this text`;

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      out: { type: "string" },
      "site-url": { type: "string", default: process.env["SITE_URL"] ?? defaultSiteUrl },
      earlier: { type: "string" },
      released: { type: "string", default: "" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(help);
  if (values.out === undefined) throw new RangeError("--out is missing; name the folder that the site goes into");
  const siteUrl = parseSiteUrl("--site-url", values["site-url"]);
  const earlier = values.earlier === undefined ? siteUrl : parseSiteUrl("--earlier", values.earlier);
  const released = values.released.split(",").filter((version) => version !== "");
  await publish(resolve(values.out), { siteUrl, earlier, released });
});

interface Publication {
  siteUrl: string;
  /** Where earlier versions are read from. */
  earlier: string;
  /** Versions that must be there in the end. */
  released: readonly string[];
}

async function publish(out: string, { siteUrl, earlier, released }: Publication): Promise<void> {
  const current = await currentVersion();
  const kept = (await publishedVersions(earlier)).filter((version) => version !== current);
  const versions = [...kept, current];
  const lost = released.filter((version) => !versions.includes(version));
  if (lost.length > 0) {
    throw new RangeError(
      `${earlier} does not keep ${lost.join(", ")}, which was released; README.md says how to bring it back`,
    );
  }
  const root = pathToFileURL(`${out}/`);
  await buildSite(root, { siteUrl, versions });
  for (const version of kept) await restoreVersion(earlier, version, out);
  await buildSite(new URL(`v/${current}/`, root), { siteUrl, versions, archive: true });
  await archiveVersion(current, out);
  await listVersions(versions, out);
}
