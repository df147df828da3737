/** Part of `pnpm lint`: what may come into this repository and its packages, and what its workflows may do. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { parseFlags, root, runCommand } from "./command.ts";
import { workspacePackages } from "./release/packages.ts";
import { licenceFaults, runtimeLicences } from "./supply-chain/licences.ts";
import { manifestFaults, settingsFaults } from "./supply-chain/pins.ts";
import { workflowFaults } from "./supply-chain/workflows.ts";

await runCommand(async () => {
  parseFlags({ options: {} });
  const read = (path: string) => ({ path, text: readFileSync(join(root, path), "utf8") });
  const manifests = [
    "package.json",
    ...workspacePackages(root).map(({ folder }) => join(folder, "package.json").slice(root.length)),
  ];
  const faults = [
    ...settingsFaults(parse(read("pnpm-workspace.yaml").text)),
    ...manifests.map(read).flatMap(({ path, text }) => manifestFaults(path, JSON.parse(text))),
    ...(await workflowFaults(globSync(".github/workflows/*.{yml,yaml}", { cwd: root }).sort().map(read))),
    ...licenceFaults(await runtimeLicences(root)),
  ];
  for (const fault of faults) console.error(fault);
  return faults.length > 0 ? 1 : 0;
});
