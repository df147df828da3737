/** The workflows (Arazzo) of the contract's package. */
import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";

/** A workflow: the operations that it calls, in order. */
export interface Workflow {
  /** Name of its file. */
  file: string;
  /** Title and description of the whole file. */
  title: string;
  story: string;
  summary: string;
  description: string;
  steps: { operationId: string; description: string }[];
}

export const workflowFolder: URL = new URL("workflows/", import.meta.resolve("@chain-query/openapi/package.json"));

/** Reads all workflows. Their package validates them, so that only the members that the site shows are checked here. */
export function readWorkflows(): Workflow[] {
  const files = readdirSync(workflowFolder).filter((name) => name.endsWith(".arazzo.yaml"));
  return files.sort().flatMap((file) => {
    const text = (holder: unknown, member: string): string => {
      const value: unknown = Reflect.get(Object(holder), member);
      if (typeof value !== "string") throw new Error(`${file}: expected a text ${member}`);
      return value;
    };
    const list = (holder: unknown, member: string): unknown[] => {
      const value: unknown = Reflect.get(Object(holder), member);
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
