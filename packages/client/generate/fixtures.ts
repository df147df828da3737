/** Writes the contract's examples down as TypeScript: results by operation and condition, and failures. */
import type { Operation } from "@chain-query/openapi/operations";

interface Example {
  readonly id: string;
  readonly condition: string;
  readonly summary: string;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

type Member = (example: Example) => string;

/** The source of fixtures.gen.ts. */
export function fixtures(operations: readonly Pick<Operation, "id" | "responses">[]): string {
  const membersOf = (isWanted: (status: number) => boolean, member: Member, end: ";" | ","): string =>
    operations
      .map(({ id, responses }) => {
        const examples = responses.flatMap((response) => Object.entries(response.examples));
        const wanted = examples.filter(([, { status }]) => isWanted(status));
        const members = wanted.map(([condition, { value, ...example }]) =>
          member({ id, condition, ...example, body: { ...Object(value) } }),
        );
        return `  ${end === ";" ? "readonly " : ""}${id}: {\n${members.join("\n")}\n  }${end}`;
      })
      .join("\n");
  const succeeded = (status: number): boolean => status < 300;
  const failed = (status: number): boolean => status >= 300;
  const typed =
    (type: (id: string) => string): Member =>
    ({ id, condition, summary }) =>
      `    /** ${summary}. */\n    readonly ${key(condition)}: ${type(id)};`;
  const result: Member = ({ condition, body }) => `    ${key(condition)}: ${JSON.stringify(body["result"])},`;
  const failure: Member = ({ condition, status, body }) => {
    const { error, reason, input, "@extra": extra } = body;
    const options = JSON.stringify({ error, reason, input, extra });
    return `    ${key(condition)}: /* @__PURE__ */ apiFailure(${status}, ${options}),`;
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
export const fixtures: {
${membersOf(
  succeeded,
  typed((id) => `ResultOf<"${id}">`),
  ";",
)}
} = {
${membersOf(succeeded, result, ",")}
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
${membersOf(
  failed,
  typed(() => "ResponseMaker"),
  ";",
)}
} = {
${membersOf(failed, failure, ",")}
};
`;
}

/** A condition as the name of a member. */
function key(condition: string): string {
  return /^[a-z]\w*$/i.test(condition) ? condition : JSON.stringify(condition);
}
