/** Requests for the fuzz, for each operation that takes an input. */
import fc from "fast-check";
import { operationIds } from "../../body/judge-body.ts";
import { requestOf, typicalRequest } from "../../contract/documented-requests.ts";
import { acceptsInput, allowsInput, parametersOf, requestSchemaOf } from "../../contract/input-schemas.ts";
import { isObject } from "../../json.ts";
import type { Request } from "../../service/exchange.ts";
import { brokenFrom, valuesOf } from "./inputs.ts";

/** The operations that take an input. */
export const fuzzed: readonly string[] = operationIds.filter(acceptsInput);

/** Requests that the contract allows. */
export function validRequests(operation: string, head: number): fc.Arbitrary<Request> {
  return validInputs(operation, head).map((input) => requestOf(operation, input));
}

/** Requests that were valid before something happened to them. */
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

/** Whether the schemas allow a request after all: not everything that happens to one makes it invalid. */
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
  return inputs.map((input) => withinReach(operation, isObject(input) ? input : {}, head));
}

/** What the contract says of members together: lt and hash come in a pair (D-14), and no block is read as of before it exists (D-16). */
function withinReach(
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
