/** `pnpm test`: runs the tests of all packages, tier by tier or some of them. */
import { text, UserError } from "@chain-query/command-line";
import { runCommand } from "../workspace/command-line.ts";
import { shareCompiledCode } from "../workspace/processes.ts";
import { closingLine, summary } from "./results.ts";
import { runTests, type Tier } from "./run-tests.ts";

const flags = {
  file: { type: text("<path>", "a part of a path"), repeatable: true, help: "runs only test files whose path has this part" },
  name: { type: text("<pattern>", "a regular expression"), help: "runs only tests whose full name matches" },
} as const;

const commands = {
  "": { summary: "runs the unit tests and the system tests", flags },
  unit: { summary: "tests that start no process and no browser", flags },
  system: { summary: "tests that do", flags },
  long: { summary: "tests in full length", flags },
} as const;

const tiers: Readonly<Record<keyof typeof commands, readonly Tier[]>> = {
  "": ["unit", "types", "system"],
  unit: ["unit", "types"],
  system: ["system"],
  long: ["long"],
};

await runCommand("test", commands, async (options) => {
  shareCompiledCode();
  const start = performance.now();
  const results = await runTests({
    tiers: tiers[options.command],
    files: options.file,
    name: options.name,
  });
  const isNoneFound = results.files.length === 0;
  // Tests with other names count as skipped.
  const isNoneNamed = options.name !== undefined && results.passed === 0;
  if (results.failed === 0 && (isNoneFound || isNoneNamed)) throw new UserError("no test with such a path and name ran");
  for (const line of [...summary(results, (performance.now() - start) / 1000), closingLine(results)]) console.log(line);
  return results.failed === 0 ? 0 : 1;
});
