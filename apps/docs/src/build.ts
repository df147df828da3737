/** Writes the site: `node src/build.ts`, as the package's build does, or with flags. */
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { parseSiteUrl, runCommand } from "./command-line.ts";
import { defaultSiteUrl } from "./site/options.ts";
import { buildSite } from "./site.ts";

const help = `Builds the site into a folder, which is emptied first.

  node src/build.ts [--out FOLDER] [--site-url URL] [--archive]

  --out FOLDER       where to (dist)
  --site-url URL     where it will be published (${defaultSiteUrl}, or SITE_URL)
  --archive          the copy of a version that is kept below v/: points to the latest, not for search engines
  --help             this text`;

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      out: { type: "string" },
      "site-url": { type: "string", default: process.env["SITE_URL"] ?? defaultSiteUrl },
      archive: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(help);
  const out = values.out === undefined ? new URL("../dist/", import.meta.url) : pathToFileURL(`${values.out}/`);
  await buildSite(out, { siteUrl: parseSiteUrl("--site-url", values["site-url"]), archive: values.archive });
});
