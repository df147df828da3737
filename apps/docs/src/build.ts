/** Builds the site: `node src/build.ts`. */
import { fileURLToPath, pathToFileURL } from "node:url";
import { list, matching, parseCommandLine, runProgram, text } from "@chain-query/command-line";
import { siteUrlFlag } from "./site/options.ts";

const program = {
  name: "build",
  manifest: new URL("../package.json", import.meta.url),
  commands: {
    "": {
      summary: "builds the site into a folder, which is emptied first, with compressed files for the local server",
      flags: {
        out: { type: text("<folder>", "a folder"), help: "the folder; default: dist of this package" },
        siteUrl: siteUrlFlag,
        versions: {
          type: list("<versions>", matching("<version>", /^(\d[\w.-]*)?$/, "a version"), "versions separated by commas"),
          default: "",
          help: "the released versions, newest first, to which the pages link",
        },
        archive: { help: "builds the pages of a version that is not the latest, for its folder below v/" },
      },
    },
  },
} as const;

await runProgram(
  program.name,
  (args, environment) => parseCommandLine(program, args, environment),
  async ({ out, siteUrl, versions, archive }) => {
    const folder = out === undefined ? new URL("../dist/", import.meta.url) : pathToFileURL(`${out}/`);
    const [{ buildSite }, { compressFiles }] = await Promise.all([import("./site.ts"), import("./site/compression.ts")]);
    await buildSite(folder, { siteUrl, archive, versions: versions.filter(Boolean) });
    if (!archive) await compressFiles(fileURLToPath(folder));
    return 0;
  },
);
