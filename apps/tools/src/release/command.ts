/** `pnpm release`: publishes the versions that the registry does not have. */
import { text } from "@chain-query/command-line";
import { runCommand } from "../workspace/command-line.ts";
import { release } from "./publish.ts";

const commands = {
  "": {
    summary: "builds, packs, checks and publishes the packages whose version the registry does not have",
    flags: {
      tag: { type: text("<name>", "a name"), help: "the dist-tag, instead of latest, or of next for 2.1.0-next.0" },
      ifNew: { help: "succeed if nothing is new" },
    },
  },
} as const;

const notes = "The tree must be clean. If the registry refuses a package, run it again: it publishes the rest.";

await runCommand(
  "release",
  commands,
  async ({ tag, ifNew }) => {
    await release({ root: process.cwd(), tag, ifNew });
    return 0;
  },
  notes,
);
