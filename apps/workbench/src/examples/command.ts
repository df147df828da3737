/** `pnpm examples`: writes the contract's examples from one run of a small chain. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseFlags, root, runCommand } from "../workspace/command-line.ts";
import { turbo } from "../workspace/turbo.ts";

const help = `Writes the examples of the contract from one run of a small chain: openapi/components/examples and .../parameters.

  pnpm examples

  --help  show this text`;

await runCommand(async () => {
  const { values } = parseFlags({ options: { help: { type: "boolean", short: "h", default: false } } });
  if (values.help) {
    console.log(help);
    return 0;
  }
  const built = await turbo(["build"], ["--filter=@chain-query/server", "--output-logs=errors-only", "--summarize=false"]);
  if (built !== 0) return built;
  // Imported here, because it imports packages that have just been built.
  const { exampleFiles } = await import("./files.ts");
  const components = join(root, "openapi/components");
  const files = await exampleFiles(components);
  for (const [path, text] of files) writeFileSync(join(components, path), text);
  console.log(`${files.size} files written in openapi/components; pnpm build bundles them`);
  return 0;
});
