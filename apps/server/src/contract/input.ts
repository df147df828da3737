/** Requests held against the contract's schemas. What the schemas cannot say (checksums, ranges of 64 bits), handlers check. */
import type { OperationId, RequestOf } from "@chain-query/types";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { Refusal } from "../failure.ts";
import { components, documentName, type JsonObject, type Operation, resolved } from "./bundle.ts";
import { complaint } from "./complaint.ts";

const ajv = new Ajv2020({
  allErrors: true,
  allowUnionTypes: true,
  discriminator: true,
  // With an error comes its schema, from which a refusal tells what would have been accepted.
  verbose: true,
  formats: { int32: true, int64: true },
});
ajv.addVocabulary(["x-decision", "components"]);
ajv.addSchema(components, documentName);

/**
 * Makes the check of one operation's requests. It takes the members of the query or the body, without `@extra`, and throws a
 * {@link Refusal} with 422 where the contract does not allow them.
 */
export function inputCheck<Id extends OperationId>(operation: Operation<Id>): (members: unknown) => RequestOf<Id> {
  const validate: ValidateFunction = ajv.compile(operation.input);
  const read = operation.method === "GET" ? queryReader(operation.input) : (members: unknown) => members;
  return (members) => {
    const request = read(members);
    if (!validate(request)) throw new Refusal(422, complaint(operation, request, validate.errors ?? []));
    return request as RequestOf<Id>;
  };
}

/** Parts `@extra` from a body, because the contract declares no member of that name (D-05). */
export function withoutExtra(body: unknown): { readonly members: unknown; readonly extra: unknown } {
  if (typeof body !== "object" || body === null || !("@extra" in body)) return { members: body, extra: undefined };
  const { "@extra": extra, ...members } = body;
  return { members, extra };
}

/** The identifier that a request was sent with. @throws Refusal where it is no text. */
export function extraIn(extra: unknown): string | undefined {
  if (extra === undefined || typeof extra === "string") return extra;
  throw new Refusal(422, "@extra: expected one text");
}

/** The members that may be a number or a text, of which only the text would keep all digits of a large one. */
export function exactNumbers(input: JsonObject): ReadonlySet<string> {
  const whole = resolved(input);
  const kinds = Array.isArray(whole["oneOf"]) ? whole["oneOf"].map(resolved) : [whole];
  const members = kinds.flatMap((kind) => Object.entries((kind["properties"] ?? {}) as object));
  const isEither = (type: unknown): boolean => Array.isArray(type) && type.includes("integer") && type.includes("string");
  return new Set(members.filter(([, schema]) => isEither(resolved(schema)["type"])).map(([name]) => name));
}

/** A query is text; numbers and booleans are what their schemas say they are. */
function queryReader(schema: JsonObject): (query: unknown) => unknown {
  const properties = Object.entries((schema["properties"] ?? {}) as object);
  const ofType = (type: string): string[] =>
    properties.filter(([, value]) => resolved(value)["type"] === type).map(([name]) => name);
  const integers = ofType("integer");
  const booleans = ofType("boolean");
  return (query) => {
    const members: Record<string, unknown> = { ...(query as Record<string, unknown>) };
    for (const name of integers) {
      const text = members[name];
      if (typeof text === "string" && /^-?\d{1,15}$/.test(text)) members[name] = Number(text);
    }
    for (const name of booleans) {
      const text = members[name];
      if (text === "true" || text === "false") members[name] = text === "true";
    }
    return members;
  };
}
