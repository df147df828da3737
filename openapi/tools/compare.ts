/**
 * Compares the last released bundle with the one that was built: `node tools/compare.ts` writes the differences to
 * .reports/compare.json. `compare.ts BASE REVISION...` prints a list for each revision instead.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { differencesOf } from "./differences.ts";

const packageFolder = new URL("../", import.meta.url);
const fileOf = (path: string): string => fileURLToPath(new URL(path, packageFolder));
const [base, ...revisions] = process.argv.slice(2);

if (base === undefined) {
  mkdirSync(new URL(".reports/", packageFolder), { recursive: true });
  const differences = await differencesOf(fileOf("released/openapi.yaml"), fileOf("dist/openapi.yaml"));
  writeFileSync(new URL(".reports/compare.json", packageFolder), `${JSON.stringify(differences, null, 2)}\n`);
} else {
  const lists = [];
  for (const revision of revisions) lists.push(await differencesOf(base, revision));
  process.stdout.write(`${JSON.stringify(lists)}\n`);
}
