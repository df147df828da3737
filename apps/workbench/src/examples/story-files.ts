import contract from "@chain-query/openapi/openapi.json" with { type: "json" };
import { exampleFiles, type FileTexts } from "./example-files.ts";
import { type Operations, playScenes } from "./story-service.ts";

/**
 * What the example files of the contract have to be, as the service answers on the chain of the story.
 *
 * @param components - The folder `openapi/components`.
 */
export async function storyFiles(components: string): Promise<FileTexts> {
  const operations = operationsOf(contract.paths);
  const queried = new Set([...operations].filter(([, { method }]) => method === "GET").map(([operationId]) => operationId));
  return exampleFiles(components, await playScenes(operations), queried);
}

function operationsOf(paths: Readonly<Record<string, object>>): Operations {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]: [string, { operationId?: string }]) =>
      operation.operationId === undefined ? [] : [[operation.operationId, { method: method.toUpperCase(), path }] as const],
    ),
  );
  return new Map(all);
}
