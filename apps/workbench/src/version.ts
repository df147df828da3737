/** `pnpm run version`: turns the changesets into versions and changelogs, and all that follows from them, or does nothing at all. */

import { makeVersions, type VersionKind } from "./version-run.ts";
import { parseFlags, root, runCommand, UsageError } from "./workspace/command.ts";

const help = `Turns the changesets into versions and changelogs, stamps the contract's version and keeps a copy of its bundle.

  pnpm run version                 the next versions; within a series of prereleases, the next of them
  pnpm run version --pre TAG       the first prerelease of a series, such as 2.1.0-next.0 with --pre next
  pnpm run version --final         ends the series: 2.1.0
  pnpm run version --snapshot TAG  versions for a try, such as 2.1.0-try-20261121093000; never merge them
  --help                           this text

The tree must be clean. Whatever fails, or is ended with Ctrl-C, leaves it as it was. Nothing is committed or published:
\`git commit\` and \`pnpm release\` come next.`;

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
    console.error("version: ended early; the tree is as it was");
    return [];
  });
  for (const { name, before, after } of raised) console.log(`${name.padEnd(26)} ${before} → ${after}`);
  if (raised.length > 0) console.log("Next: read the changelogs, commit, and `pnpm release`.");
  return code;
});

function kindOf({ pre, final, snapshot }: { pre?: string; final: boolean; snapshot?: string }): VersionKind {
  const asked = [pre !== undefined && "--pre", final && "--final", snapshot !== undefined && "--snapshot"].filter(Boolean);
  if (asked.length > 1) throw new UsageError(`version: ${asked.join(" and ")} exclude each other; see --help`);
  for (const [flag, tag] of Object.entries({ "--pre": pre, "--snapshot": snapshot })) {
    if (tag !== undefined && !/^[a-z][a-z-]*$/.test(tag)) {
      throw new UsageError(`version: ${flag} ${tag}: a tag is lower-case letters and hyphens, such as next`);
    }
  }
  if (pre !== undefined) return { kind: "pre", tag: pre };
  if (snapshot !== undefined) return { kind: "snapshot", tag: snapshot };
  return { kind: final ? "final" : "next" };
}
