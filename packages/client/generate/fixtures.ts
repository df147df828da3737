/** Writes the contract's examples down as TypeScript: results by operation and condition, and failures. */
import type { Operation } from "@chain-query/openapi/operations";

/** The source of fixtures.gen.ts. */
export function fixtures(operations: readonly Pick<Operation, "id" | "responses">[]): string {
  type Example = Operation["responses"][number]["examples"][string];
  const membersOf = (
    isWanted: (status: number) => boolean,
    member: (id: string, condition: string, example: Example) => string,
  ) =>
    operations.map(({ id, responses }) => {
      const examples = responses.flatMap((response) => Object.entries(response.examples));
      const wanted = examples.filter(([, { status }]) => isWanted(status));
      return { id, members: wanted.map(([condition, example]) => member(id, key(condition), example)).join("\n") };
    });
  const isSuccess = (status: number): boolean => status < 300;
  const isFailure = (status: number): boolean => !isSuccess(status);
  /** The members of the type and of the value of a constant. */
  const constant = (
    isWanted: typeof isSuccess,
    type: (id: string) => string,
    sourceOf: (example: Example) => string,
  ): string => {
    const types = membersOf(isWanted, (id, name, { summary }) => `    /** ${summary}. */\n    readonly ${name}: ${type(id)};`);
    const values = membersOf(isWanted, (_, name, example) => `    ${name}: ${sourceOf(example)},`);
    const typed = types.map(({ id, members }) => `  readonly ${id}: {\n${members}\n  };`);
    return `{\n${typed.join("\n")}\n} = {\n${values.map(({ id, members }) => `  ${id}: {\n${members}\n  },`).join("\n")}\n}`;
  };
  const result = ({ value }: Example): string => JSON.stringify(Object(value).result);
  const failure = ({ status, value }: Example): string => {
    const { error, reason, input, "@extra": extra } = Object(value);
    return `/* @__PURE__ */ apiFailure(${status}, ${JSON.stringify({ error, reason, input, extra })})`;
  };
  return `/** Generated from @chain-query/openapi by \`pnpm generate\`. Do not edit: change the contract. */
import type { ResultOf } from "@chain-query/types";
import { type ResponseMaker, apiFailure } from "./responses.ts";

/**
 * Results of the contract's examples, by operation and condition. They are shared: change a copy.
 *
 * @example
 * \`\`\`ts
 * const rich = { ...fixtures.getAddressInformation.active, balance: "1000000000000" };
 * \`\`\`
 */
export const fixtures: ${constant(isSuccess, (id) => `ResultOf<"${id}">`, result)};

/**
 * Failures of the contract's examples, by operation and condition.
 *
 * @example
 * \`\`\`ts
 * const fetch = fakeFetch({ lookupBlock: failures.lookupBlock["past-head"] });
 * \`\`\`
 */
export const failures: ${constant(isFailure, () => "ResponseMaker", failure)};
`;
}

/** A condition as the name of a member. */
function key(condition: string): string {
  return /^[a-z]\w*$/i.test(condition) ? condition : JSON.stringify(condition);
}
