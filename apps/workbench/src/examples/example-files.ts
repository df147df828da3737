/** The files of the contract that hold examples: what is asked and answered is put in, what people wrote around it stays. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Document, parseDocument } from "yaml";
import type { Json, Played } from "./story-service.ts";

/** New texts of files, by their path in the folder of components. */
export type FileTexts = ReadonlyMap<string, string>;

/**
 * What the files of the contract have to be for these scenes.
 *
 * @param components - The folder `openapi/components`.
 * @param queried - Operations whose request is a query.
 */
export function exampleFiles(components: string, scenes: readonly Played[], queried: ReadonlySet<string>): FileTexts {
  const documents = new Map<string, Document>();
  const documentOf = (path: string): Document => {
    const known = documents.get(path) ?? parseDocument(readFileSync(join(components, path), "utf8"));
    documents.set(path, known);
    return known;
  };
  for (const { name, asked, answer } of scenes) {
    const [operationId = "", condition = ""] = name.split(".");
    if (queried.has(operationId)) {
      for (const [parameter, value] of Object.entries(asked)) {
        documentOf(`parameters/${parameter}.yaml`).setIn(["examples", condition, "value"], value);
      }
    } else if (existsSync(join(components, `examples/${name}.request.yaml`))) {
      documentOf(`examples/${name}.request.yaml`).set("value", asked);
    }
    if (answer) putAnswer(documentOf(`examples/${name}.yaml`), answer);
  }
  return new Map([...documents].map(([path, document]) => [path, document.toString(layout)]));
}

/** As the formatter leaves them, so that only what changed is seen to change. */
const layout = { lineWidth: 120, flowCollectionPadding: false };

/** The service makes another `@extra` each time; an example keeps the one that it has. */
function putAnswer(document: Document, answer: Json): void {
  for (const [member, value] of Object.entries(answer)) {
    if (member !== "@extra") document.setIn(["value", member], value);
  }
}
