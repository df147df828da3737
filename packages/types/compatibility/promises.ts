/**
 * The promises of the types of one release to the next, as TypeScript that compiles only if they are kept. Each promise is one
 * declaration on a line of its own, so that an error of the compiler tells which it was.
 */
import ts from "typescript";

/** A breaking change: a rejected request, a response that an old caller cannot read, or a removed name. */
export interface Break {
  /** An operationId, or the name of a schema. */
  name: string;
  half: "request" | "response" | "name";
  /** The difference, as the compiler describes it. */
  detail: string;
}

/** TypeScript text, and the promise of each line. */
export interface Promises {
  source: string;
  lines: ReadonlyMap<number, Pick<Break, "name" | "half">>;
}

/**
 * One body of several media types is a union, so that a new type breaks no sender. `Sent` and `Taken` are equal but separate:
 * TypeScript compares two uses of one alias by their arguments.
 */
const words = `
import type { components as OldComponents, operations as Old } from "./released.ts";
import type { components as NewComponents, operations as New } from "./current.ts";
type BodyOf<Holder> = Holder extends { content: infer Content } ? { [Type in keyof Content]: { type: Type; body: Content[Type] } }[keyof Content] : never;
type Sent<Body> = { request: BodyOf<NonNullable<Body>> | (undefined extends Body ? undefined : never) };
type Taken<Body> = { request: BodyOf<NonNullable<Body>> | (undefined extends Body ? undefined : never) };
type PromisedFor<Responses, Status> = Status extends keyof Responses ? Responses[Status] : "default" extends keyof Responses ? Responses["default"] : unknown;
type Members<Type> = Type extends readonly (infer Each)[] ? Members<Each> : Type extends object ? { [Key in keyof Type & string]-?: Key | \`\${Key}.\${Members<NonNullable<Type[Key]>>}\` }[keyof Type & string] : never;
declare function value<Type>(): Type;
`;

/** Writes the promises that the released types make, to be kept by the current ones; both as source text. */
export function promisesOf(released: string, current: string): Promises {
  const lines = new Map<number, Pick<Break, "name" | "half">>();
  const source = words.split("\n");
  const promise = (name: string, half: Break["half"], text: string) => {
    lines.set(source.length, { name, half });
    source.push(`export const promise${source.length} = ${text};`);
  };
  const known = new Set(operationsOf(current));
  for (const id of operationsOf(released)) {
    const name = JSON.stringify(id);
    if (!known.has(id)) {
      promise(id, "name", `value<${name}>() satisfies never`);
      continue;
    }
    const of = (part: string) => [`Old[${name}]["${part}"]`, `New[${name}]["${part}"]`] as const;
    const [parameters, newParameters] = of("parameters");
    const [body, newBody] = of("requestBody");
    const [responses, newResponses] = of("responses");
    promise(id, "request", `value<${parameters}>() satisfies ${newParameters}`);
    promise(id, "request", `value<Exclude<Members<${parameters}>, Members<${newParameters}>>>() satisfies never`);
    promise(id, "request", `value<Sent<${body}>>() satisfies Taken<${newBody}>`);
    promise(id, "request", `value<Exclude<Members<Sent<${body}>>, Members<Taken<${newBody}>>>>() satisfies never`);
    const promised = `{ [Status in keyof ${newResponses}]: PromisedFor<${responses}, Status> }`;
    promise(id, "response", `value<${newResponses}>() satisfies ${promised}`);
  }
  promise(
    "Schemas",
    "name",
    `value<Exclude<keyof OldComponents["schemas"], keyof NewComponents["schemas"]>>() satisfies never`,
  );
  return { source: source.join("\n"), lines };
}

/** The names of the operations in generated types. */
function operationsOf(types: string): string[] {
  const file = ts.createSourceFile("types.ts", types, ts.ScriptTarget.Latest);
  const operations = file.statements.find(
    (statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === "operations",
  );
  if (operations === undefined || !ts.isInterfaceDeclaration(operations)) return [];
  return operations.members.flatMap(({ name }) =>
    name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? [name.text] : [],
  );
}
