/** Builds the site: `node src/build.ts`. */
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseCommandLine, runProgram, text } from "@chain-query/command-line";
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
        archive: { help: "builds the copy of a version that is kept below v/" },
      },
    },
  },
} as const;

await runProgram(
  program.name,
  (args, environment) => parseCommandLine(program, args, environment),
  async ({ out, siteUrl, archive }) => {
    const folder = out === undefined ? new URL("../dist/", import.meta.url) : pathToFileURL(`${out}/`);
    const [{ buildSite }, { compressFiles }] = await Promise.all([import("./site.ts"), import("./site/compression.ts")]);
    await buildSite(folder, { siteUrl, archive });
    if (!archive) await compressFiles(fileURLToPath(folder));
    return 0;
  },
);
