/**
 * Compares the types of the last release with those of the current contract: `node compatibility/compare.ts` writes the breaking changes to
 * .reports/compare.json. `compare.ts BASE REVISION...` compares bundles and prints a list for each revision instead.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { typesOf } from "../bundle-types.ts";
import { breaksOf } from "./breaks.ts";

const contract = new URL("./", import.meta.resolve("@chain-query/openapi/package.json"));
const [base = new URL("released/openapi.yaml", contract), ...revisions] = process.argv.slice(2);
const released = await typesOf(readFileSync(base, "utf8"));
const compare = async (revision: string | URL) => breaksOf(released, await typesOf(readFileSync(revision, "utf8")));

if (revisions.length === 0) {
  const reports = new URL("../.reports/", import.meta.url);
  mkdirSync(reports, { recursive: true });
  const breaks = await compare(new URL("dist/openapi.yaml", contract));
  writeFileSync(new URL("compare.json", reports), `${JSON.stringify(breaks, null, 2)}\n`);
} else {
  const lists = [];
  for (const revision of revisions) lists.push(await compare(revision));
  process.stdout.write(`${JSON.stringify(lists)}\n`);
}
