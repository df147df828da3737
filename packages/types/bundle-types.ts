/**
 * The contract's types, as source text. The only importer of openapi-typescript. Schemas get names of their own: `export type BlockId = …`
 * in place of `components["schemas"]["…"]`.
 */
import openapiTS, { astToString, type SchemaObject } from "openapi-typescript";
import ts from "typescript";

/** Writes the types of a bundle, given as JSON or YAML text. */
export async function typesOf(bundle: string, documentation: Documentation = () => undefined): Promise<string> {
  return astToString(nameSchemas(await nodesOf(bundle), documentation));
}

/** The types as openapi-typescript writes them. */
export async function wireTypesOf(bundle: string): Promise<string> {
  return astToString(await nodesOf(bundle));
}

async function nodesOf(bundle: string): Promise<ts.Node[]> {
  const nodes = await openapiTS(bundle, {
    defaultNonNullable: false,
    transform: (schema: Readonly<SchemaObject & { "x-extensible-enum"?: readonly string[] }>) =>
      openEnum(schema["x-extensible-enum"]) ?? templateLiteral(schema),
  });
  return nodes.map(withOptionalHeaders);
}

/** Makes headers optional that openapi-typescript takes for required, because they are references. */
function withOptionalHeaders(node: ts.Node): ts.Node {
  const copy = ts.visitEachChild(node, withOptionalHeaders, undefined);
  if (!ts.isPropertySignature(copy) || copy.type === undefined || referenced(copy.type, "headers") === undefined) return copy;
  const optional = ts.factory.createToken(ts.SyntaxKind.QuestionToken);
  return ts.factory.updatePropertySignature(copy, copy.modifiers, copy.name, optional, copy.type);
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

/** The lines of a comment on a schema, or on one of its members; undefined keeps the comment as it is. */
export type Documentation = (schema: string, member?: string) => readonly string[] | undefined;

/** Names that differ from the last word of the schema's, capitalised. */
const ownNames: Readonly<Record<string, string>> = {
  "chain.blockIdExt": "BlockId",
  "ext.message": "LocatedMessage",
  "ext.transaction": "LocatedTransaction",
  "msg.dataRaw": "RawContent",
  "msg.dataText": "TextContent",
  "msg.dataEncryptedText": "EncryptedTextContent",
  "msg.dataDecryptedText": "DecryptedTextContent",
};

/** The name of a schema's type: `MasterchainInfo` for `blocks.masterchainInfo`. */
export function typeName(schema: string): string {
  return ownNames[schema] ?? schema.replace(/^.*\./, "").replace(/^./, (letter) => letter.toUpperCase());
}

/**
 * Turns the schemas of openapi-typescript's output into exported types, and references to them into their names. Strings, numbers and
 * booleans stay inline: a name would hide the type. Types without content, such as webhooks, are dropped.
 *
 * @throws Error if two schemas have one name
 */
function nameSchemas(nodes: readonly ts.Node[], documentation: Documentation): ts.Node[] {
  const schemas = schemasIn(nodes);
  const named = new Map<string, string>();
  for (const [schema, { type }] of schemas) {
    if (isSimple(type)) continue;
    const name = typeName(schema);
    const other = [...named].find(([, taken]) => taken === name)?.[0];
    if (other !== undefined)
      throw new Error(`${schema} and ${other} are both ${name}: give one another name in bundle-types.ts`);
    named.set(schema, name);
  }

  /** Whether a type is a string, a number or a boolean, or may be one or the other. */
  function isSimple(type: ts.TypeNode): boolean {
    if (ts.isUnionTypeNode(type)) return type.types.every(isSimple);
    const schema = referenced(type);
    if (schema !== undefined) return isSimple(typeOf(schema));
    return [ts.SyntaxKind.StringKeyword, ts.SyntaxKind.NumberKeyword, ts.SyntaxKind.BooleanKeyword].includes(type.kind);
  }

  function typeOf(schema: string): ts.TypeNode {
    const type = schemas.get(schema)?.type;
    if (type === undefined) throw new Error(`there is no schema ${schema}`);
    return type;
  }

  /** Replaces references below a node, and the contents of `components["schemas"]`. */
  const renamed = <Node extends ts.Node>(node: Node): Node => ts.visitEachChild(node, renamedNode, undefined);
  function renamedNode(node: ts.Node): ts.Node {
    const reference = referenced(node);
    if (reference !== undefined) {
      const name = named.get(reference);
      return name === undefined ? renamedNode(typeOf(reference)) : ts.factory.createTypeReferenceNode(name);
    }
    if (!isMember(node) || schemas.get(nameOf(node)) !== node) return renamed(node);
    const name = named.get(nameOf(node));
    if (name === undefined) return withComment(renamed(node), documentation(nameOf(node)));
    return ts.factory.createPropertySignature(undefined, node.name, undefined, ts.factory.createTypeReferenceNode(name));
  }

  const declarations = [...named].map(([schema, name]) => {
    const own = typeOf(schema);
    const type = ts.isTypeLiteralNode(own)
      ? ts.factory.createTypeLiteralNode(
          own.members.map((member) => withComment(renamed(member), documentation(schema, nameOf(member)))),
        )
      : renamed(own);
    const alias = ts.factory.createTypeAliasDeclaration(exported, name, undefined, type);
    return withComment(alias, documentation(schema), schemas.get(schema));
  });

  const contents = nodes.filter((node) => !(ts.isTypeAliasDeclaration(node) && ["webhooks", "$defs"].includes(node.name.text)));
  return [...declarations, ...contents.map(renamed)];
}

const exported = [ts.factory.createModifier(ts.SyntaxKind.ExportKeyword)];

type Member = ts.PropertySignature & { readonly type: ts.TypeNode };

const isMember = (node: ts.Node): node is Member => ts.isPropertySignature(node) && node.type !== undefined;

/** The members of `components["schemas"]` by name. */
function schemasIn(nodes: readonly ts.Node[]): Map<string, Member> {
  const components = nodes.filter(ts.isInterfaceDeclaration).find(({ name }) => name.text === "components");
  const schemas = components?.members.filter(isMember).find((member) => nameOf(member) === "schemas")?.type;
  const members = schemas !== undefined && ts.isTypeLiteralNode(schemas) ? schemas.members.filter(isMember) : [];
  return new Map(members.map((member) => [nameOf(member), member]));
}

/** The component that a type refers to: `X` for `components["schemas"]["X"]`. */
function referenced(node: ts.Node, section = "schemas"): string | undefined {
  if (!ts.isIndexedAccessTypeNode(node) || !ts.isIndexedAccessTypeNode(node.objectType)) return undefined;
  const { objectType } = node.objectType;
  const isOfComponents = ts.isTypeReferenceNode(objectType) && nameOf({ name: objectType.typeName }) === "components";
  return isOfComponents && literal(node.objectType.indexType) === section ? literal(node.indexType) : undefined;
}

function literal(node: ts.TypeNode): string | undefined {
  return ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal) ? node.literal.text : undefined;
}

function nameOf({ name }: { readonly name?: ts.Node | undefined }): string {
  return name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : "";
}

/** Puts a comment of these lines on a node, or without lines the comments of another node. */
function withComment<Node extends ts.Node>(node: Node, lines: readonly string[] | undefined, other: ts.Node = node): Node {
  if (lines === undefined) return ts.setSyntheticLeadingComments(node, ts.getSyntheticLeadingComments(other));
  const text = lines.map((line) => ` * ${line.replaceAll("*/", "*\\/")}`.trimEnd()).join("\n");
  const kind = ts.SyntaxKind.MultiLineCommentTrivia;
  return ts.setSyntheticLeadingComments(node, [{ kind, text: `*\n${text}\n `, hasTrailingNewLine: true, pos: -1, end: -1 }]);
}
