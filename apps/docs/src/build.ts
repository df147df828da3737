/** Builds the site: `node src/build.ts`. */
import { pathToFileURL } from "node:url";
import { parseCommandLine, runProgram, text } from "@chain-query/command-line";
import { siteUrlFlag } from "./site/options.ts";

const program = {
  name: "build",
  manifest: new URL("../package.json", import.meta.url),
  commands: {
    "": {
      summary: "builds the site into a folder, which is emptied first",
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
    const { buildSite } = await import("./site.ts");
    await buildSite(folder, { siteUrl, archive });
    return 0;
  },
);
