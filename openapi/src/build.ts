/** Makes what other rooms read from the bundle that Redocly wrote: the same document as JSON, and its examples as data. */
import { readFileSync, writeFileSync } from "node:fs";
import { parse } from "yaml";
import { documentedExamples } from "./examples.ts";

const dist = new URL("../dist/", import.meta.url);
const document: unknown = parse(readFileSync(new URL("openapi.yaml", dist), "utf8"));

writeJson("openapi.json", document);
writeJson("examples.json", documentedExamples(document));

function writeJson(name: string, value: unknown): void {
  writeFileSync(new URL(name, dist), `${JSON.stringify(value, null, 2)}\n`);
}
