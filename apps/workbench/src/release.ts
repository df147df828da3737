/** `pnpm release`: builds, packs, checks and publishes what the registry does not have yet. */
import { parseFlags, runCommand } from "./command.ts";
import { release } from "./release/publishing.ts";

const help = `Builds the workspace and publishes the packages whose version the registry does not have, each after those it depends on.

  pnpm release [--tag NAME] [--if-new]

  --tag NAME  the dist-tag to publish under, in place of latest, or of next for 2.1.0-next.0
  --if-new    succeed where nothing is new
  --help      this text

The tree must be clean. Where the registry refuses, what was published stays, and another run goes on from there.`;

await runCommand(async () => {
  const { values } = parseFlags({
    options: {
      tag: { type: "string" },
      "if-new": { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  return release({
    root: process.cwd(),
    tag: values.tag,
    ifNew: values["if-new"],
    say: (line) => console.log(line),
    progress: (line) => process.stderr.isTTY && console.error(`${line} …`),
  });
});
