/** `pnpm run version`: turns the changesets into versions and changelogs. */

import { parseFlags, root, runCommand } from "../workspace/command-line.ts";
import { kindOf, makeVersions } from "./make-versions.ts";

const help = `Turns the changesets into versions and changelogs, and keeps a copy of the released contract.

  pnpm run version                 the next versions; within a series of prereleases, the next of them
  pnpm run version --pre TAG       the first prerelease of a series, such as 2.1.0-next.0 with --pre next
  pnpm run version --final         ends the series: 2.1.0
  pnpm run version --snapshot TAG  versions to try out, such as 2.1.0-try-20261121093000; never merge them
  --help                           show this text

The tree must be clean. If a step fails or you press Ctrl-C, it stays as it was. Nothing is committed or published.`;

await runCommand(async () => {
  const { values } = parseFlags({
    options: {
      pre: { type: "string" },
      final: { type: "boolean", default: false },
      snapshot: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  const ended = new AbortController();
  const codes = { SIGINT: 130, SIGTERM: 143 } as const;
  let code = 0;
  for (const [signal, number] of Object.entries(codes)) {
    process.once(signal, () => {
      code = number;
      ended.abort();
    });
  }
  const raised = await makeVersions(root, kindOf(values), ended.signal).catch((error: unknown) => {
    if (!ended.signal.aborted) throw error;
    console.error("version: interrupted; the tree is as before");
    return [];
  });
  for (const { name, before, after } of raised) console.log(`${name.padEnd(26)} ${before} → ${after}`);
  if (raised.length > 0) console.log("Next: read the changelogs, commit, and `pnpm release`.");
  return code;
});
