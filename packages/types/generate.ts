/**
 * Writes src/openapi.gen.ts from the bundle. The only importer of openapi-typescript.
 */
import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString, type SchemaObject } from "openapi-typescript";
import ts from "typescript";

const bundle = new URL(import.meta.resolve("@chain-query/openapi/openapi.json"));
const nodes = await openapiTS(readFileSync(bundle, "utf8"), {
  defaultNonNullable: false,
  transform: templateLiteral,
});

writeFileSync(
  new URL("src/openapi.gen.ts", import.meta.url),
  `/** Generated from @chain-query/openapi by \`pnpm generate\`. Do not edit: change the contract. */\n\n${astToString(nodes)}`,
);

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
