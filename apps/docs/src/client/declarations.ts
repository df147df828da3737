/** Reads the exports of the client from its type declarations, with the TypeScript compiler. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript-api";
import {
  type Documentation,
  declarationText,
  documentation,
  isInternal,
  longestDeclaration,
  moduleDocumentation,
} from "./declaration-text.ts";

/** An import path of the client and its own exports, or its exports from another package of ours. */
export interface EntryPoint extends Documentation {
  /** The path, such as "@chain-query/client/address", or the name of the other package. */
  specifier: string;
  /** The path that also exports everything of the other package. */
  exportedBy?: string;
  /** Source file below the repository, such as "packages/client/src/address.ts". */
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

interface Reading {
  checker: ts.TypeChecker;
  /** The exports of all entry points. */
  exported: ReadonlySet<ts.Symbol>;
}

/** Reads the entry points of a package from its package.json, in the order of its `exports`. */
export function readEntryPoints(manifest: URL): EntryPoint[] {
  const { name, exports } = readPackage(manifest);
  const entries = Object.keys(exports).flatMap((path) => {
    const types = typesOf(exports, path);
    if (types === undefined) return [];
    return [{ specifier: `${name}${path.slice(1)}`, types, file: fileURLToPath(new URL(types, manifest)) }];
  });
  const files = entries.map(({ file }) => file);
  // Declarations are only read, so that no library is needed.
  const program = ts.createProgram(files, { noLib: true, types: [], module: ts.ModuleKind.NodeNext });
  const checker = program.getTypeChecker();
  const symbolsOf = files.map((file) => symbolsIn(program.getSourceFile(file), checker));
  const exported = new Set(symbolsOf.flat().map(([, symbol]) => symbol));
  const seen = new Set<ts.Symbol>();
  return entries.flatMap(({ specifier, types }, index): EntryPoint[] => {
    const symbols = symbolsOf[index] ?? [];
    const added = symbols.filter(([, symbol]) => !seen.has(symbol));
    for (const [, symbol] of added) seen.add(symbol);
    const read = (some: NamedSymbols): Exported[] =>
      some.map(([exportName, symbol]) => readExport(exportName, symbol, { checker, exported }));
    const repeated = symbols.filter((each) => !added.includes(each)).map(([exportName]) => exportName);
    const homes = added.map(([, symbol]) => homeOf(symbol, manifest));
    // An entry point that only exports another package is not divided.
    const isOwn = (at: number): boolean => homes[at] === manifest.href || !homes.includes(manifest.href);
    const others = [...new Set(homes.filter((_, at) => !isOwn(at)))].map((home): EntryPoint => {
      const other = new URL(home);
      const { name: otherName, exports: paths } = readPackage(other);
      const own = read(added.filter((_, at) => homes[at] === home));
      const source = sourceOf(other, typesOf(paths, ".") ?? "");
      return { specifier: otherName, exportedBy: specifier, ...source, exports: own, repeated: [] };
    });
    const own = read(added.filter((_, at) => isOwn(at)));
    return [{ specifier, ...sourceOf(manifest, types), exports: own, repeated }, ...others];
  });
}

type NamedSymbols = readonly (readonly [name: string, symbol: ts.Symbol])[];

function symbolsIn(file: ts.SourceFile | undefined, checker: ts.TypeChecker): NamedSymbols {
  const module = file && checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error("expected declarations for each entry point; build the client first: pnpm build");
  return checker.getExportsOfModule(module).map((symbol) => {
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    return [symbol.name, isAlias ? checker.getAliasedSymbol(symbol) : symbol];
  });
}

/** The package.json of the package that declares a symbol; that of the exporting package for packages of others. */
function homeOf(symbol: ts.Symbol, manifest: URL): string {
  const file = symbol.declarations?.[0]?.getSourceFile().fileName;
  if (file === undefined) return manifest.href;
  let candidate = new URL("package.json", pathToFileURL(file));
  while (!existsSync(candidate) && candidate.pathname !== "/package.json") candidate = new URL("../package.json", candidate);
  const scope = (url: URL): string => readPackage(url).name.split("/")[0] ?? "";
  return scope(candidate) === scope(manifest) ? candidate.href : manifest.href;
}

/** The source of an entry point and the comment of its module. */
function sourceOf(manifest: URL, types: string): Documentation & { source: string } {
  const source = types.replace(/^\.\/dist\//, "src/").replace(/\.d\.ts$/, ".ts");
  const { directory } = readPackage(manifest).repository;
  return { source: `${directory}/${source}`, ...moduleDocumentation(new URL(source, manifest)) };
}

/** The members of a package.json that are used. */
interface PackageJson {
  name: string;
  exports: Readonly<Record<string, string | { types?: string }>>;
  repository: { directory: string };
}

function readPackage(file: URL): PackageJson {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** The declarations of an entry point. */
function typesOf(exports: PackageJson["exports"], path: string): string | undefined {
  const target = exports[path];
  return typeof target === "string" ? undefined : target?.types;
}

function readExport(name: string, symbol: ts.Symbol, reading: Reading): Exported {
  const nodes = (symbol.declarations ?? []).map((node) => (ts.isVariableDeclaration(node) ? node.parent.parent : node));
  const [first] = nodes;
  if (first === undefined) throw new Error(`${name}: expected a declaration`);
  const isLong = nodes.some((node) => node.getText().split("\n").length > longestDeclaration * 3);
  return {
    name,
    kind: kindOf(first),
    declaration: nodes.map(declarationText).join("\n"),
    ...documentation(first),
    members: isLong ? [] : nodes.flatMap((node) => [...inheritedMembers(node, reading), ...membersOf(node)]),
  };
}

function kindOf(node: ts.Node): Exported["kind"] {
  if (ts.isFunctionDeclaration(node)) return "function";
  if (ts.isClassDeclaration(node)) return "class";
  return ts.isVariableStatement(node) ? "constant" : "type";
}

/** The documented members of a declaration, and of members without documentation. */
function membersOf(node: ts.Node, prefix = ""): Member[] {
  return childrenOf(node).flatMap((child): Member[] => {
    if (!ts.isTypeElement(child) && !ts.isClassElement(child)) return membersOf(child, prefix);
    const name = child.name && !ts.isComputedPropertyName(child.name) ? `${prefix}${child.name.getText()}` : undefined;
    const comment = documentation(child);
    if (name === undefined || isInternal(comment)) return [];
    return comment.about === "" ? membersOf(child, `${name}.`) : [{ name, ...comment }];
  });
}

function childrenOf(node: ts.Node): ts.Node[] {
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  return children;
}

/** The documented members that an interface has from types that are not exported. */
function inheritedMembers(node: ts.Node, { checker, exported }: Reading): Member[] {
  if (!ts.isInterfaceDeclaration(node)) return [];
  const bases = (node.heritageClauses ?? []).flatMap(({ types }) => types);
  const hidden = bases.filter(({ expression }) => {
    const symbol = checker.getSymbolAtLocation(expression);
    return symbol !== undefined && !exported.has(symbol);
  });
  return hidden
    .flatMap((base) => checker.getTypeAtLocation(base).getProperties())
    .flatMap((property) => {
      const [declared] = property.declarations ?? [];
      return declared === undefined ? [] : [{ name: property.name, ...documentation(declared) }];
    });
}
