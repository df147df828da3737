/** Random requests of the operations that take an input. */
import fc from "fast-check";
import { operationIds } from "../../body/judge-body.ts";
import { requestOf, typicalRequest } from "../../contract/documented-requests.ts";
import { acceptsInput, allowsInput, parametersOf, requestSchemaOf } from "../../contract/input-schemas.ts";
import { isObject } from "../../json.ts";
import type { Request } from "../../service/exchange.ts";
import { brokenFrom, valuesOf } from "./inputs.ts";

export const fuzzedOperations: readonly string[] = operationIds.filter(acceptsInput);

/** Requests that the contract allows. */
export function validRequests(operation: string, head: number): fc.Arbitrary<Request> {
  return validInputs(operation, head).map((input) => requestOf(operation, input));
}

/** Requests that were broken after they had been valid; some may still be valid. */
export function brokenRequests(operation: string, head: number): fc.Arbitrary<Request> {
  const { method, path } = typicalRequest(operation);
  return validInputs(operation, head)
    .chain(brokenFrom)
    .map((input): Request => {
      if (method !== "GET") return { operation, method, path, text: JSON.stringify(input) ?? "" };
      const members = isObject(input) ? Object.entries(input) : [["", String(input)] as const];
      return { operation, method, path, query: Object.fromEntries(members.map(([name, value]) => [name, textOf(value)])) };
    });
}

/** Whether the schemas allow a broken request nevertheless. */
export function isAllowed({ operation, query, text }: Request): boolean {
  return allowsInput(operation, text === undefined ? query : text === "" ? undefined : JSON.parse(text));
}

function validInputs(operation: string, head: number): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const schema = requestSchemaOf(operation);
  const inputs =
    schema === undefined
      ? fc.record(Object.fromEntries(parametersOf(operation).map(({ name, schema }) => [name, valuesOf(schema)])), {
          requiredKeys: parametersOf(operation).flatMap(({ name, required }) => (required ? [name] : [])),
        })
      : valuesOf(schema);
  return inputs.map((input) => respectDecisions(operation, isObject(input) ? input : {}, head));
}

/** Keeps to the decisions about combinations: lt and hash come as a pair (D-14), and the seqno of an account is at most the head (D-16). */
function respectDecisions(
  operation: string,
  input: Readonly<Record<string, unknown>>,
  head: number,
): Readonly<Record<string, unknown>> {
  if (operation === "getAddressInformation" && "seqno" in input) {
    return { ...input, seqno: String((Number(input["seqno"]) % head) + 1) };
  }
  if ("lt" in input === "hash" in input || operation !== "getTransactionsStd") return input;
  return Object.fromEntries(Object.entries(input).filter(([name]) => name !== "lt" && name !== "hash"));
}

function textOf(value: unknown): string {
  return String(typeof value === "object" ? JSON.stringify(value) : value);
}
