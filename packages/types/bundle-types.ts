/** The contract's types, as source text. The only importer of openapi-typescript. */
import openapiTS, { astToString, type SchemaObject } from "openapi-typescript";
import ts from "typescript";
import { type Documentation, nameSchemas } from "./named-types.ts";

/** Writes the types of a bundle, given as JSON or YAML text. */
export async function typesOf(bundle: string, documentation: Documentation = () => undefined): Promise<string> {
  return astToString(nameSchemas(await nodesOf(bundle), documentation));
}

/** The types as openapi-typescript writes them. */
export async function wireTypesOf(bundle: string): Promise<string> {
  return astToString(await nodesOf(bundle));
}

function nodesOf(bundle: string): Promise<ts.Node[]> {
  return openapiTS(bundle, {
    defaultNonNullable: false,
    transform: (schema: Readonly<SchemaObject & { "x-extensible-enum"?: readonly string[] }>) =>
      openEnum(schema["x-extensible-enum"]) ?? templateLiteral(schema),
  });
}

/** The known values and any other: editors complete the known ones, which `"a" | string` would not do. */
function openEnum(known: readonly string[] | undefined): ts.TypeNode | undefined {
  if (known === undefined) return undefined;
  const literals = known.map((value) => ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(value)));
  const other = ts.factory.createIntersectionTypeNode([
    ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
    ts.factory.createTypeLiteralNode([]),
  ]);
  return ts.factory.createUnionTypeNode([...literals, ts.factory.createParenthesizedType(other)]);
}

/** A pattern that ends in fixed text after a free word, such as `^[a-z]+\.blockIdExt$`, becomes a template literal type. */
function templateLiteral(schema: SchemaObject): ts.TypeNode | undefined {
  if (!("pattern" in schema) || typeof schema.pattern !== "string") return undefined;
  const ending = /^\^\[a-z\]\[a-z0-9\]\*((?:\\\.[A-Za-z]+)+)\$$/.exec(schema.pattern)?.[1];
  if (ending === undefined) return undefined;
  return ts.factory.createTemplateLiteralType(ts.factory.createTemplateHead(""), [
    ts.factory.createTemplateLiteralTypeSpan(
      ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
      ts.factory.createTemplateTail(ending.replaceAll("\\", "")),
    ),
  ]);
}
