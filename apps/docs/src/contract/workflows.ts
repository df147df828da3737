/** Reads the workflows of the contract's package, which are Arazzo documents. */
import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";

/** A workflow and the operations that it calls, in order. */
export interface Workflow {
  /** File name. */
  file: string;
  /** Title of the document. */
  title: string;
  /** Description of the document. */
  story: string;
  summary: string;
  description: string;
  steps: { operationId: string; description: string }[];
}

export const workflowFolder: URL = new URL("workflows/", import.meta.resolve("@chain-query/openapi/package.json"));

/** Reads all workflows. Checks only the members that the site shows, since the contract's package validates the documents. */
export function readWorkflows(): Workflow[] {
  const files = readdirSync(workflowFolder).filter((name) => name.endsWith(".arazzo.yaml"));
  return files.sort().flatMap((file) => {
    const text = (object: unknown, member: string): string => {
      const value: unknown = Reflect.get(Object(object), member);
      if (typeof value !== "string") throw new Error(`${file}: expected a text ${member}`);
      return value;
    };
    const list = (object: unknown, member: string): unknown[] => {
      const value: unknown = Reflect.get(Object(object), member);
      if (!Array.isArray(value)) throw new Error(`${file}: expected a list ${member}`);
      return value;
    };
    const document = parse(readFileSync(new URL(file, workflowFolder), "utf8"));
    return list(document, "workflows").map((workflow) => ({
      file,
      title: text(document.info, "title"),
      story: text(document.info, "description"),
      summary: text(workflow, "summary"),
      description: text(workflow, "description"),
      steps: list(workflow, "steps").map((step) => ({
        operationId: text(step, "operationId"),
        description: text(step, "description"),
      })),
    }));
  });
}
