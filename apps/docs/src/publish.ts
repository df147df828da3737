/** The command `publish-site`: makes the folder that is published, with the latest pages at its root, and the pages of every released version below v/. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { list, matching, parseCommandLine, runProgram, text } from "@chain-query/command-line";
import { siteUrl, siteUrlFlag } from "./flags.ts";
import {
  archiveVersion,
  currentVersion,
  listVersions,
  PublicationError,
  publishedVersions,
  restoreVersion,
} from "./kept-versions.ts";
import { buildSite } from "./site.ts";

const version = matching("<version>", /^(\d[\w.-]*)?$/, "a version");

const program = {
  name: "publish",
  manifest: new URL("../package.json", import.meta.url),
  commands: {
    "": {
      summary: "makes the folder that is published",
      flags: {
        out: { type: text("<folder>", "a folder"), required: true, help: "the folder; it is emptied first" },
        siteUrl: siteUrlFlag,
        earlier: { type: siteUrl, help: "where to read earlier versions; default: the published site" },
        released: {
          type: list("<versions>", version, "versions separated by commas"),
          default: "",
          help: "fail unless the folder has these versions",
        },
      },
    },
  },
} as const;

await runProgram(
  program.name,
  (args, environment) => parseCommandLine(program, args, environment),
  async ({ out, siteUrl: url, earlier = url, released }) => {
    await publish(resolve(out), { siteUrl: url, earlier, released: released.filter(Boolean) });
    return 0;
  },
  { expectedErrors: [PublicationError.name] },
);

interface Publication {
  siteUrl: string;
  /** URL of the site that has the earlier versions. */
  earlier: string;
  /** Versions that the folder must contain. */
  released: readonly string[];
}

async function publish(out: string, { siteUrl: url, earlier, released }: Publication): Promise<void> {
  const current = await currentVersion();
  const kept = (await publishedVersions(earlier)).filter((one) => one !== current);
  const versions = [...kept, current];
  const missing = released.filter((one) => !versions.includes(one));
  if (missing.length > 0) {
    throw new PublicationError(`${earlier} does not have the released ${missing.join(", ")}; see Publishing in README.md`);
  }
  const root = pathToFileURL(`${out}/`);
  await buildSite(root, { siteUrl: url, versions });
  for (const one of kept) await restoreVersion(earlier, one, out);
  await buildSite(new URL(`v/${current}/`, root), { siteUrl: url, versions, archive: true });
  await archiveVersion(current, out);
  await listVersions(versions, out);
}
