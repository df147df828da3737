/** `pnpm run version`: turns the changesets into versions and changelogs. */
import { matching } from "@chain-query/command-line";
import { runCommand } from "../workspace/command-line.ts";
import { root } from "../workspace/packages.ts";
import { kindOf, makeVersions } from "./make-versions.ts";

const tag = matching("<tag>", /^[a-z][a-z-]*$/, "lower-case letters and hyphens, such as next");
const commands = {
  "": {
    summary: "turns the changesets into versions and changelogs, and keeps a copy of the released contract",
    flags: {
      pre: { type: tag, help: "begin a series of prereleases, such as 2.1.0-next.0 with --pre next" },
      final: { help: "end the series: 2.1.0" },
      snapshot: { type: tag, help: "versions to try out, such as 2.1.0-try-20261121093000; never merge them" },
    },
  },
} as const;

const notes = `Without options: the next versions, or the next of the series of prereleases that is under way. The tree must be clean. If a
step fails or you press Ctrl-C, it stays as it was. Nothing is committed or published.`;

await runCommand(
  "version",
  commands,
  async (options) => {
    const ended = new AbortController();
    const codes = { SIGINT: 130, SIGTERM: 143 } as const;
    let code = 0;
    for (const [signal, number] of Object.entries(codes)) {
      process.once(signal, () => {
        code = number;
        ended.abort();
      });
    }
    const raised = await makeVersions(root, kindOf(options), ended.signal).catch((error: unknown) => {
      if (!ended.signal.aborted) throw error;
      console.error("version: interrupted; the tree is as before");
      return [];
    });
    for (const { name, before, after } of raised) console.log(`${name.padEnd(26)} ${before} → ${after}`);
    if (raised.length > 0) console.log("Next: read the changelogs, commit, and `pnpm release`.");
    return code;
  },
  notes,
);
