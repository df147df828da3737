/** The command `publish-site`: makes the folder that is published, with the latest pages at its root, and the pages of every released version below v/. */
import { resolve } from "node:path";
import { list, matching, parseCommandLine, runProgram, text } from "@chain-query/command-line";
import { siteUrl, siteUrlFlag } from "./site/options.ts";

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
    const { publish } = await import("./publication.ts");
    await publish(resolve(out), { siteUrl: url, earlier, released: released.filter(Boolean) });
    return 0;
  },
);
