/** Reads the contract's examples and writes them down as TypeScript: results by operation and condition, and failures. */
import { list, object, operationsOf } from "./contract-json.ts";

interface Example {
  readonly condition: string;
  readonly summary: string;
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** The source of fixtures.gen.ts for any bundle and its examples. An operation may have none. */
export function fixturesSource(bundle: unknown, examples: unknown): string {
  const byOperation = new Map<string, Example[]>(operationsOf(object(bundle)).map(({ id }) => [id, []]));
  for (const each of list(examples)) {
    const { operationId, condition, summary, response } = object(each);
    const { status, body } = object(response);
    const id = String(operationId);
    const known = byOperation.get(id) ?? [];
    byOperation.set(id, [
      ...known,
      { condition: String(condition), summary: String(summary), status: Number(status), body: object(body) },
    ]);
  }
  const operations = [...byOperation];
  const succeeded = ({ status }: Example) => status < 300;
  const failed = (example: Example) => !succeeded(example);
  return `/** Generated from @chain-query/openapi by \`pnpm generate\`. Do not edit: change the contract. */
import type { ResultOf } from "@chain-query/types";
import { type Answering, apiFailure } from "./answers.ts";

/**
 * Results of the contract's examples, by operation and condition. Copy one to change it: it is shared.
 *
 * @example
 * \`\`\`ts
 * const rich = { ...fixtures.getAddressInformation.active, balance: "1000000000000" };
 * \`\`\`
 */
export const fixtures: {
${members(operations, succeeded, (id, { condition, summary }) => `    /** ${summary}. */\n    readonly ${key(condition)}: ResultOf<"${id}">;`)}
} = {
${members(operations, succeeded, (_, { condition, body }) => `    ${key(condition)}: ${JSON.stringify(body["result"])},`, ",")}
};

/**
 * Failures of the contract's examples, by operation and condition.
 *
 * @example
 * \`\`\`ts
 * const fetch = fakeFetch({ lookupBlock: failures.lookupBlock["past-head"] });
 * \`\`\`
 */
export const failures: {
${members(operations, failed, (_, { condition, summary }) => `    /** ${summary}. */\n    readonly ${key(condition)}: Answering;`)}
} = {
${members(operations, failed, (_, { condition, status, body }) => `    ${key(condition)}: ${failure(status, body)},`, ",")}
};
`;
}

function failure(status: number, { error, "@extra": extra }: Record<string, unknown>): string {
  return `/* @__PURE__ */ apiFailure(${status}, ${JSON.stringify({ error, extra })})`;
}

function members(
  operations: readonly (readonly [id: string, examples: readonly Example[]])[],
  belongs: (example: Example) => boolean,
  line: (id: string, example: Example) => string,
  end = ";",
): string {
  return operations
    .map(([id, examples]) => [id, examples.filter(belongs)] as const)
    .map(
      ([id, examples]) =>
        `  ${end === ";" ? "readonly " : ""}${id}: {\n${examples.map((each) => line(id, each)).join("\n")}\n  }${end}`,
    )
    .join("\n");
}

/** A condition as the name of a member. */
function key(condition: string): string {
  return /^[a-z]\w*$/i.test(condition) ? condition : JSON.stringify(condition);
}
