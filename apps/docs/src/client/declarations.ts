/** Reads what the client exports from its type declarations, with the TypeScript compiler. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** The text and the examples of a comment, as Markdown. */
interface Documentation {
  about: string;
  examples: string[];
}

/** An import path of the client and its own exports. */
export interface EntryPoint extends Documentation {
  /** What programs import, such as "@chain-query/client/address". */
  specifier: string;
  /** Source file below the package, such as "src/address.ts". */
  source: string;
  exports: Exported[];
  /** Names of exports that an earlier entry point has too. */
  repeated: string[];
}

/** An export and its documentation. */
export interface Exported extends Documentation {
  name: string;
  kind: "function" | "class" | "constant" | "type";
  /** The declaration, without comments. */
  declaration: string;
  /** Members that have a comment. */
  members: Member[];
}

/** A documented member; members of members have the path as their name. */
export interface Member extends Documentation {
  name: string;
}

/** Longer lines do not fit the column of the text. */
const lineLength = 76;

const printer = ts.createPrinter({ removeComments: true });

/** Reads the entry points of a package from its package.json, in the order of its `exports`. */
export function readEntryPoints(manifest: URL): EntryPoint[] {
  const { name, exports } = JSON.parse(readFileSync(manifest, "utf8"));
  const entries = Object.entries<{ types?: string }>(exports).flatMap(([path, { types }]) =>
    types === undefined ? [] : [{ specifier: `${name}${path.slice(1)}`, types, file: fileURLToPath(new URL(types, manifest)) }],
  );
  const files = entries.map(({ file }) => file);
  // Declarations are only read, so that no library is needed.
  const program = ts.createProgram(files, { noLib: true, types: [], module: ts.ModuleKind.NodeNext });
  const checker = program.getTypeChecker();
  const seen = new Set<ts.Symbol>();
  return entries.map(({ specifier, types, file }) => {
    const module = program.getSourceFile(file);
    const symbol = module && checker.getSymbolAtLocation(module);
    if (module === undefined || symbol === undefined) throw new Error(`${file}: expected the declarations of ${specifier}`);
    const symbols = checker.getExportsOfModule(symbol).map((each) => [each.name, original(each, checker)] as const);
    const own = symbols.filter(([, each]) => !seen.has(each));
    for (const [, each] of own) seen.add(each);
    const source = types.replace(/^\.\/dist\//, "src/").replace(/\.d\.ts$/, ".ts");
    return {
      specifier,
      source,
      ...moduleDocumentation(new URL(source, manifest)),
      exports: own.map(([exportName, each]) => readExport(exportName, each)),
      repeated: symbols.filter((each) => !own.includes(each)).map(([exportName]) => exportName),
    };
  });
}

function original(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function readExport(name: string, symbol: ts.Symbol): Exported {
  const nodes = (symbol.declarations ?? []).map((node) => (ts.isVariableDeclaration(node) ? node.parent.parent : node));
  const [first] = nodes;
  if (first === undefined) throw new Error(`${name}: expected a declaration`);
  return {
    name,
    kind: kindOf(first),
    declaration: nodes.map(declarationText).join("\n"),
    ...documentation(first),
    members: nodes.flatMap((node) => membersOf(node)),
  };
}

function kindOf(node: ts.Node): Exported["kind"] {
  if (ts.isFunctionDeclaration(node)) return "function";
  if (ts.isClassDeclaration(node)) return "class";
  return ts.isVariableStatement(node) ? "constant" : "type";
}

/** The declaration as TypeScript, without `export declare` and without internal members. */
function declarationText(node: ts.Node): string {
  const file = node.getSourceFile();
  const shown = ts.isClassDeclaration(node)
    ? ts.factory.updateClassDeclaration(
        node,
        node.modifiers,
        node.name,
        node.typeParameters,
        node.heritageClauses,
        node.members.filter((member) => !isInternal(member)),
      )
    : node;
  const text = print(shown, file).replace(/^export (declare )?/, "");
  return text.split("\n").some((line) => line.length > lineLength) ? wrapped(node, text) : text;
}

function print(node: ts.Node, file: ts.SourceFile): string {
  return printer
    .printNode(ts.EmitHint.Unspecified, node, file)
    .replaceAll(/^( {4})+/gm, (indent) => " ".repeat(indent.length / 2));
}

/** A line for each parameter of a function, each alternative of a union and each branch of a condition. */
function wrapped(node: ts.Node, text: string): string {
  const texts = (parts: readonly ts.Node[]): string[] => parts.map((part) => print(part, node.getSourceFile()));
  const replace = (part: string, lines: string): string => text.replace(part, () => lines);
  if (ts.isFunctionDeclaration(node)) {
    const parameters = texts(node.parameters);
    return replace(`(${parameters.join(", ")})`, `(\n${parameters.map((each) => `  ${each},\n`).join("")})`);
  }
  if (!ts.isTypeAliasDeclaration(node)) return text;
  const { type } = node;
  if (ts.isUnionTypeNode(type)) {
    const alternatives = texts(type.types);
    return replace(` ${alternatives.join(" | ")};`, `${alternatives.map((each) => `\n  | ${each}`).join("")};`);
  }
  if (!ts.isConditionalTypeNode(type)) return text;
  const [yes, no] = texts([type.trueType, type.falseType]);
  return replace(` ? ${yes} : ${no};`, `\n  ? ${yes}\n  : ${no};`);
}

/** Members with a symbol for a name, and those whose comment begins with "Internal". */
function isInternal(member: ts.ClassElement): boolean {
  return (member.name && ts.isComputedPropertyName(member.name)) || documentation(member).about.startsWith("Internal");
}

/** The documented members of a declaration, and those of members without documentation. */
function membersOf(node: ts.Node, prefix = ""): Member[] {
  return childrenOf(node).flatMap((child): Member[] => {
    if (!ts.isTypeElement(child) && !ts.isClassElement(child)) return membersOf(child, prefix);
    const name = child.name && !ts.isComputedPropertyName(child.name) ? `${prefix}${child.name.getText()}` : undefined;
    const { about, examples } = documentation(child);
    if (name === undefined || about.startsWith("Internal")) return [];
    return about === "" ? membersOf(child, `${name}.`) : [{ name, about, examples }];
  });
}

function childrenOf(node: ts.Node): ts.Node[] {
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  return children;
}

/** The comment before a declaration. */
function documentation(node: ts.Node): Documentation {
  const comment = ts.getJSDocCommentsAndTags(node).findLast(ts.isJSDoc);
  return parseComment(comment?.getText() ?? "");
}

/** The comment with the tag `@module`, which the compiler may leave out of the declarations. */
function moduleDocumentation(source: URL): Documentation {
  const comments = readFileSync(source, "utf8").match(/\/\*\*[\s\S]*?\*\//g) ?? [];
  return parseComment(comments.find((comment) => /^ \* @module/m.test(comment)) ?? "");
}

/** Parses a comment. Unlike the compiler's parser, it takes no `@` in the code of an example for a tag. */
function parseComment(comment: string): Documentation {
  const lines = comment
    .replaceAll(/^\/\*\*|\*\/$/g, "")
    .replaceAll(/^[ \t]*\* ?/gm, "")
    .split("\n");
  const parts = [{ tag: "", lines: [] as string[] }];
  let inCode = false;
  for (const line of lines) {
    if (line.startsWith("```")) inCode = !inCode;
    const [tag, name = ""] = (!inCode && /^@(\w+) ?/.exec(line)) || [];
    if (tag === undefined) parts.at(-1)?.lines.push(line);
    else parts.push({ tag: name, lines: [line.slice(tag.length)] });
  }
  const texts = (wanted: string): string[] =>
    parts.filter(({ tag }) => tag === wanted).map((part) => part.lines.join("\n").trim());
  return { about: texts("").join(), examples: texts("example") };
}
