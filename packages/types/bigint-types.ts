/** Writes the types of results whose logical times, shards and amounts are bigints: an interface for each schema that has some. */
import type { Operation, Schema } from "@chain-query/openapi/operations";
import { typeName } from "./bundle-types.ts";

/** The source of bigints.gen.ts. */
export function bigintTypes(
  operations: readonly Pick<Operation, "id" | "result">[],
  schemas: Readonly<Record<string, Schema>>,
): string {
  /** The interfaces by the title of their schema; undefined for a schema without such integers. */
  const interfaces = new Map<string, string | undefined>();
  const used = new Set<string>();

  /** The type of a schema with bigints, or undefined if it has none. */
  function typeOf(schema: Schema): string | undefined {
    const { title = "", items } = schema;
    // A decimal string, since the integer does not fit a JSON number.
    if (schema["x-minimum"] !== undefined) return "bigint";
    if (items !== undefined) return typeOf(items)?.concat("[]");
    return interfaceOf(schema) ? `Bigint${typeName(title)}` : undefined;
  }

  function interfaceOf({ title = "", properties = {} }: Schema): string | undefined {
    if (interfaces.has(title)) return interfaces.get(title);
    const members = Object.entries(properties).flatMap(([name, member]) => {
      const type = typeOf(member);
      return type === undefined ? [] : [`  ${name}: ${type};`];
    });
    const name = typeName(title);
    const source = `/**
 * ${schemas[title]?.description} Logical times, shards and amounts are bigints.
 *
 * @example
 * \`\`\`ts
 * const show = (it: Bigint${name}): void => console.log(it.${/\w+/.exec(members[0] ?? "")?.[0]});
 * \`\`\`
 */
export interface Bigint${name} extends Replaced<${name}, {
${members.join("\n")}
}> {}`;
    interfaces.set(title, members.length > 0 ? source : undefined);
    if (members.length > 0) used.add(name);
    return interfaces.get(title);
  }

  const results = operations.map(({ id, result }) => {
    if (result.title === undefined) throw new Error(`${id}: its result needs a schema of its own, whose name types have`);
    const plain = typeName(result.title);
    used.add(plain);
    return `  ${id}: ${typeOf(result) ?? plain};`;
  });
  const sources = [...interfaces.values()].filter((source) => source !== undefined);
  const names = [...used].filter((name) => sources.some((source) => source.includes(`Bigint${name} `)));
  return `/** Generated from @chain-query/openapi by \`pnpm generate\`. Do not edit: change the contract. */
import type { ${[...used].sort().join(", ")} } from "./openapi.gen.ts";

/** Other types for some members. It is mapped, so that editors show the comments of the members. */
type Replaced<Type, Others> = { [Name in keyof Type]: Name extends keyof Others ? Others[Name] : Type[Name] };

${sources.join("\n\n")}

/**
 * The result of each operation, with bigints.
 *
 * @example
 * \`\`\`ts
 * const worth = ({ balance }: BigintResults["getAddressInformation"]): boolean => balance > 1_000_000_000n;
 * \`\`\`
 */
export interface BigintResults {
${results.join("\n")}
}

/**
 * The type of a value of a response, such as a transaction or a list of them, with bigints.
 *
 * @example
 * \`\`\`ts
 * const newest = (all: BigintOf<Transaction[]>): bigint | undefined => all[0]?.fee;
 * \`\`\`
 */
export type BigintOf<Value> = Value extends readonly (infer Item)[]
  ? BigintOf<Item>[]
${names.map((name) => `  : Value extends ${name}\n  ? Bigint${name}`).join("\n")}
  : Value;
`;
}
