import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript-api";
import { describe, expect, test } from "vitest";
import { jest, metro, next, nodes, typescripts } from "../../matrix/cache.ts";
import packageJson from "../../package.json" with { type: "json" };

const home = fileURLToPath(new URL("../../", import.meta.url));
const sources = readdirSync(join(home, "src"), { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
const entries = Object.keys(packageJson.exports).filter((entry) => entry !== "./package.json");
const entryFile = (entry: string): string => join(home, "src", `${entry.slice(2) || "index"}.ts`);

const isOurs = (file: string): boolean => file.startsWith(join(home, "src")) || file.includes("/openapi/dist/");

/** Names that exist in one runtime only, or are forbidden in another. */
const banned = new Set(["Buffer", "process", "require", "__dirname", "eval", "Function"]);

describe("src", () => {
  test.for(sources)("%s uses nothing that only one runtime has", (file) => {
    const text = readFileSync(join(home, "src", file), "utf8");
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      const isProperty = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;
      if (ts.isIdentifier(node) && banned.has(node.text) && !isProperty) found.push(node.text);
      if (ts.isStringLiteral(node) && node.text.startsWith("node:")) found.push(node.text);
      ts.forEachChild(node, visit);
    };
    ts.forEachChild(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true), visit);
    expect(found).toEqual([]);
  });

  test("imports each frozen dependency in one file", () => {
    const importers = sources.filter((file) => /from "openapi-fetch"/.test(readFileSync(join(home, "src", file), "utf8")));
    expect(importers).toEqual(["transport/openapi-fetch.ts"]);
  });
});

test("the compatibility page names the versions of the matrix", () => {
  const guide = readFileSync(new URL("../../../../apps/docs/guides/compatibility.md", import.meta.url), "utf8");
  const [oldest = "", ...maintained] = nodes;
  const short = (version: string, parts = 2): string => version.split(".").slice(0, parts).join(".");
  const majors = maintained.map((version) => short(version, 1));
  expect(guide).toContain(` ${short(oldest)}, ${majors.slice(0, -1).join(", ")} and ${majors.at(-1)};`);
  const compilers = typescripts.map((version) => short(version));
  expect(guide).toContain(` ${compilers.slice(0, -1).join(", ")} and ${compilers.at(-1)},`);
  expect(guide).toContain(` ${short(jest, 1)}, ${short(metro)} and ${short(next, 1)};`);
});

describe("the documentation of exports", () => {
  const program = ts.createProgram(entries.map(entryFile), {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
  });
  const checker = program.getTypeChecker();

  test.for(entries)("in %s has text and an example for each", (entry) => {
    const file = program.getSourceFile(entryFile(entry));
    const module = file && checker.getSymbolAtLocation(file);
    const exported = module ? checker.getExportsOfModule(module) : [];
    expect(exported.length).toBeGreaterThan(0);
    const lacking = exported
      .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
      // Names of other packages are documented there, except names of the contract's package.
      .filter((symbol) => symbol.declarations?.some((each) => isOurs(each.getSourceFile().fileName)))
      .filter((symbol) => {
        const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
        return text === "" || !symbol.getJsDocTags(checker).some(({ name }) => name === "example");
      })
      .map((symbol) => symbol.name);
    expect(lacking).toEqual([]);
  });
});
