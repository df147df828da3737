/** The contract's types, as source text. The only importer of openapi-typescript. */
import openapiTS, { astToString, type SchemaObject } from "openapi-typescript";
import ts from "typescript";

/** Writes the types of a bundle, given as JSON or YAML text. */
export async function typesOf(bundle: string): Promise<string> {
  return astToString(await openapiTS(bundle, { defaultNonNullable: false, transform: templateLiteral }));
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
