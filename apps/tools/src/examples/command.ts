/** `pnpm examples`: writes the contract's examples from one run of a small chain. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../workspace/command-line.ts";
import { root } from "../workspace/packages.ts";
import { turbo } from "../workspace/processes.ts";

const commands = {
  "": { summary: "writes the examples of the contract and their proofs from one run of a small chain", flags: {} },
} as const;

await runCommand("examples", commands, async () => {
  const built = await turbo(["build"], ["--filter=@chain-query/server", "--output-logs=errors-only", "--summarize=false"]);
  if (built !== 0) return built;
  // Imported here, because it imports packages that have just been built.
  const { exampleFiles } = await import("./example-files.ts");
  const components = join(root, "openapi/components");
  const files = await exampleFiles(components);
  for (const [path, text] of files) writeFileSync(join(components, path), text);
  console.log(`${files.size} files written; pnpm build bundles them`);
  return 0;
});
