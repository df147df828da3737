/** `pnpm release`: publishes the versions that the registry does not have. */

import { parseFlags, runCommand } from "../workspace/command-line.ts";
import { release } from "./publish.ts";

const help = `Builds, packs, checks and publishes the packages whose version the registry does not have, dependencies first.

  pnpm release [--tag NAME] [--if-new]

  --tag NAME  the dist-tag, instead of latest, or of next for 2.1.0-next.0
  --if-new    succeed if nothing is new
  --help      show this text

The tree must be clean. If the registry refuses a package, run it again: it publishes what is missing.`;

await runCommand(async () => {
  const { values } = parseFlags({
    options: {
      tag: { type: "string" },
      "if-new": { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) console.log(help);
  else await release({ root: process.cwd(), tag: values.tag, ifNew: values["if-new"] });
  return 0;
});
