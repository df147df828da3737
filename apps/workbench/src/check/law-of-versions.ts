/** Part of `pnpm check`: compares the contract with its last release and checks that a changeset announces the changes. */

import { gatherFacts } from "../versions/facts.ts";
import { judge, refusalText } from "../versions/law.ts";
import { runCommand } from "../workspace/command-line.ts";
import { root } from "../workspace/packages.ts";

await runCommand(
  "law-of-versions",
  { "": { summary: "checks that a changeset announces what changed in the contract", flags: {} } },
  async () => {
    const { facts, since } = await gatherFacts(root);
    const { required, announcedBy, refusal } = judge(facts);
    if (refusal !== undefined) {
      console.error(refusalText(refusal, since));
      return 1;
    }
    const changed = `${facts.changes.length} change${facts.changes.length === 1 ? "" : "s"} since ${since}`;
    console.log(
      required === undefined
        ? `contract: unchanged since ${since}`
        : `contract: ${changed}, ${required}, announced by ${announcedBy}`,
    );
    return 0;
  },
);
