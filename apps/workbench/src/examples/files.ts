/** Writes requests and answers into the example files of the contract, and keeps their comments and summaries. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { operations } from "@chain-query/openapi/operations";
import { type Document, parseDocument } from "yaml";
import { type Json, playScenes } from "./story-service.ts";

/** New texts of files, by their path in the folder of components. */
export type FileTexts = ReadonlyMap<string, string>;

/** Resolves to the texts that the example files in the folder `openapi/components` must have. `atHead` as of `playScenes`. */
export async function exampleFiles(components: string, atHead?: (url: string) => Promise<void>): Promise<FileTexts> {
  const documents = new Map<string, Document>();
  const documentOf = (path: string): Document => {
    const known = documents.get(path) ?? parseDocument(readFileSync(join(components, path), "utf8"));
    documents.set(path, known);
    return known;
  };
  for (const { name, input, answer } of await playScenes(atHead)) {
    const [operationId = "", condition = ""] = name.split(".");
    if (operations.find(({ id }) => id === operationId)?.method === "GET") {
      for (const [parameter, value] of Object.entries(input)) {
        documentOf(`parameters/${parameter}.yaml`).setIn(["examples", condition, "value"], value);
      }
    } else if (existsSync(join(components, `examples/${name}.request.yaml`))) {
      documentOf(`examples/${name}.request.yaml`).set("value", input);
    }
    if (answer) putAnswer(documentOf(`examples/${name}.yaml`), answer);
  }
  return new Map([...documents].map(([path, document]) => [path, document.toString(layout)]));
}

/** The layout of the formatter, so that a diff shows only changes. */
const layout = { lineWidth: 120, flowCollectionPadding: false };

/** The service makes a new `@extra` each time; an example keeps its own. */
function putAnswer(document: Document, answer: Json): void {
  for (const [member, value] of Object.entries(answer)) {
    if (member !== "@extra") document.setIn(["value", member], value);
  }
}
