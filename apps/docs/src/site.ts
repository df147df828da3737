/** The site as a folder: the reference page, its script, and the contract to take away. */
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { readContract, withOperationList, withServerDefaults } from "./contract.ts";
import { referencePage } from "./reference-page.ts";
import { referenceScript } from "./reference-script.ts";
import { readWorkflows, withWorkflows, workflowFolder } from "./workflows.ts";

/** What lies beside the page for download, and the file of the contract's package that it is. */
const downloads: Record<string, string> = {
  "openapi.yaml": "@chain-query/openapi/openapi.yaml",
  "openapi.json": "@chain-query/openapi/openapi.json",
  "decisions.md": "@chain-query/openapi/DECISIONS.md",
};

/**
 * Builds the whole site into a folder, which is emptied first.
 *
 * @example
 * await buildSite(new URL("../dist/", import.meta.url));
 */
export async function buildSite(folder: URL): Promise<void> {
  const contract = readContract(await readFile(fileOf("@chain-query/openapi/openapi.json"), "utf8"));
  const workflows = readWorkflows();
  const script = await referenceScript();
  const page = await referencePage(withServerDefaults(withWorkflows(withOperationList(contract), workflows)), script.name);

  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(new URL("index.html", folder), page);
  await writeFile(new URL(script.name, folder), script.text);
  await copyFile(new URL("assets/favicon.svg", import.meta.url), new URL("favicon.svg", folder));
  for (const [name, source] of Object.entries(downloads)) await copyFile(fileOf(source), new URL(name, folder));
  await mkdir(new URL("workflows/", folder));
  for (const { file } of workflows) await copyFile(new URL(file, workflowFolder), new URL(`workflows/${file}`, folder));
}

function fileOf(specifier: string): URL {
  return new URL(import.meta.resolve(specifier));
}
