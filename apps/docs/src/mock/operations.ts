/** What the mock in the page has to know of the contract besides its documented pairs. */
import type { Contract } from "../contract/contract.ts";
import { nodeOf, resolved, textOf } from "../contract/node.ts";

/** The answers of one status, or of all others. */
export interface MockAnswers {
  /** A status, or `default`. */
  status: string;
  headers: Record<string, string>;
  /** Bodies by the names of the examples, the most typical first. */
  bodies: Record<string, unknown>;
}

/** One operation. */
export interface MockOperation {
  operationId: string;
  method: string;
  path: string;
  takesBody: boolean;
  answers: MockAnswers[];
}

/** Reads every operation with the examples of all its answers. */
export function mockOperations(contract: Contract): MockOperation[] {
  return Object.entries(contract.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, value]) => {
      const operation = nodeOf(value);
      if (operation["operationId"] === undefined) return [];
      return {
        operationId: textOf(operation["operationId"]),
        method: method.toUpperCase(),
        path,
        takesBody: operation["requestBody"] !== undefined,
        answers: Object.entries(nodeOf(operation["responses"])).map(([status, response]) => ({
          status,
          ...answersIn(contract, response),
        })),
      };
    }),
  );
}

function answersIn(contract: Contract, response: unknown): Omit<MockAnswers, "status"> {
  const { content, headers } = resolved(contract, nodeOf(response));
  const examples = nodeOf(nodeOf(nodeOf(content)["application/json"])["examples"]);
  return {
    headers: Object.fromEntries(
      Object.entries(nodeOf(headers)).map(([name, header]) => [name.toLowerCase(), headerExample(header)] as const),
    ),
    bodies: Object.fromEntries(
      Object.entries(examples).map(([name, example]) => [name, resolved(contract, nodeOf(example))["value"]]),
    ),
  };
}

function headerExample(header: unknown): string {
  const { examples } = nodeOf(nodeOf(header)["schema"]);
  return Array.isArray(examples) ? String(examples[0]) : "";
}
