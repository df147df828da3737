/** Sources of answers, and the examples of the contract as one. */
import type { Operation } from "@chain-query/openapi/operations";
import { type ApiResponse, Refusal } from "./exchange.ts";
import type { Preference } from "./preference.ts";

/** Makes the answers of operations. The server uses Prism, see prism.ts; the browser the examples. */
export interface AnswerSource {
  /** @param seed - The mock's seed and the request; equal seeds give equal generated answers. */
  answer(operation: Operation, preference: Preference, seed: string): Promise<ApiResponse>;
}

/** Answers with the examples of the contract, and generates nothing. Works in browsers. */
export const exampleSource: AnswerSource = {
  async answer(operation, { code = 200, example }) {
    const response = responseOf(operation, code);
    const names = Object.keys(response?.examples ?? {});
    const headers = Object.entries(response?.headers ?? {}).map(([name, { schema }]) => [
      name.toLowerCase(),
      String(schema.examples?.[0] ?? ""),
    ]);
    const body = response?.examples[example ?? names[0] ?? ""]?.value;
    return { status: code, headers: Object.fromEntries(headers), body: withStatus(body, code), constant: true };
  },
};

/** @throws Refusal with 422 if the preferred status has no such example. */
export function refuseUnknownExample(operation: Operation, { code = 200, example }: Preference): void {
  if (example === undefined) return;
  const names = Object.keys(responseOf(operation, code)?.examples ?? {});
  if (names.includes(example)) return;
  throw new Refusal(422, `Prefer: example=${example}: the ${code} answers of ${operation.id} are ${names.join(", ")}`);
}

/** The status of the first answer with an example of this name, successes first. */
export function statusOfExample({ responses }: Operation, example: string): number | undefined {
  const found = responses.find(({ examples }) => example in examples);
  if (found === undefined || found.status !== "default") return found && Number(found.status);
  const { value } = found.examples[example] ?? {};
  return typeof value === "object" && value !== null && "code" in value ? Number(value.code) : 200;
}

function responseOf({ responses }: Operation, code: number): Operation["responses"][number] | undefined {
  return responses.find(({ status }) => status === `${code}`) ?? responses.find(({ status }) => status === "default");
}

/** One example documents all statuses under `default`; the code of a failure must still equal its status. */
export function withStatus(body: unknown, status: number): unknown {
  const isFailure = typeof body === "object" && body !== null && "ok" in body && body.ok === false;
  return isFailure && "code" in body && body.code !== status ? { ...body, code: status } : body;
}
