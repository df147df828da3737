/** Part of `pnpm lint`: checks the dependencies of the packages, and the rights of the workflows. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { runCommand } from "../workspace/command-line.ts";
import { root } from "../workspace/packages.ts";
import { catalogFaults, licenceFaults, manifestFaults, runtimeLicences } from "./dependencies.ts";
import { workflowFaults } from "./workflows.ts";

interface Catalogs {
  readonly catalog: Readonly<Record<string, string>>;
  readonly catalogs: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

await runCommand(
  "supply-chain",
  { "": { summary: "checks versions and licences of dependencies, and workflows", flags: {} } },
  async () => {
    const read = (path: string) => ({ path, text: readFileSync(join(root, path), "utf8") });
    const { catalog, catalogs }: Catalogs = parse(read("pnpm-workspace.yaml").text);
    const faults = [
      ...[catalog, ...Object.values(catalogs)].flatMap(catalogFaults),
      ...globSync("{.,openapi,packages/*,apps/*}/package.json", { cwd: root })
        .map(read)
        .flatMap(({ path, text }) => manifestFaults(path, JSON.parse(text))),
      ...(await workflowFaults(globSync(".github/workflows/*.yml", { cwd: root }).sort().map(read))),
      ...licenceFaults(await runtimeLicences(root)),
    ];
    for (const fault of faults) console.error(fault);
    return faults.length > 0 ? 1 : 0;
  },
);
