/** The multi-call stories of the contract, as the reference page tells them. */
import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";

/** One story: what it finds, and the operations that it calls in turn. */
export interface Workflow {
  /** Name of its file in the contract's package. */
  file: string;
  /** What the whole file is about, and why one would. */
  title: string;
  story: string;
  summary: string;
  description: string;
  steps: { operationId: string; description: string }[];
}

/** The folder of the contract's package in which they lie. */
export const workflowFolder: URL = new URL("workflows/", import.meta.resolve("@chain-query/openapi/package.json"));

/** Reads every workflow, and says which file lacks what where one does. */
export function readWorkflows(folder: URL = workflowFolder): Workflow[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".arazzo.yaml"));
  return files.sort().flatMap((file) => {
    const text = (holder: unknown, member: string): string => {
      const value: unknown = typeof holder === "object" && holder !== null ? Reflect.get(holder, member) : undefined;
      if (typeof value !== "string") throw new Error(`${file}: ${member} is missing, or no text`);
      return value;
    };
    const list = (holder: unknown, member: string): unknown[] => {
      const value: unknown = typeof holder === "object" && holder !== null ? Reflect.get(holder, member) : undefined;
      if (!Array.isArray(value)) throw new Error(`${file}: ${member} is missing, or no list`);
      return value;
    };
    const document: unknown = parse(readFileSync(new URL(file, folder), "utf8"));
    const info: unknown = Reflect.get(Object(document), "info");
    return list(document, "workflows").map((workflow) => ({
      file,
      title: text(info, "title"),
      story: text(info, "description"),
      summary: text(workflow, "summary"),
      description: text(workflow, "description"),
      steps: list(workflow, "steps").map((step) => ({
        operationId: text(step, "operationId"),
        description: text(step, "description"),
      })),
    }));
  });
}
