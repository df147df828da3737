/** The TypeScript language service, as in editors, on a program that uses the client's source. */
import { fileURLToPath } from "node:url";
import ts from "typescript-api";

/** The text of an editor for a name. */
interface Hover {
  readonly type: string;
  readonly text: string;
  readonly tags: Readonly<Record<string, string>>;
}

const file = fileURLToPath(new URL("program.ts", import.meta.url));
const options: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
  types: [],
  customConditions: ["@chain-query/source"],
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
};
const imports = `
import * as client from "../../src/index.ts";
import { createQueries } from "../../src/query.ts";
import { fakeFetch, fixtures } from "../../src/testing.ts";
const chain = client.createClient({ baseUrl: "" });
const queries = createQueries(chain);
`;
let program = "";
let version = 0;
const service = ts.createLanguageService({
  getCompilationSettings: () => options,
  getScriptFileNames: () => [file],
  getScriptVersion: (name) => (name === file ? String(version) : "0"),
  getScriptSnapshot: (name) => {
    const text = name === file ? program : ts.sys.readFile(name);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => fileURLToPath(new URL(".", import.meta.url)),
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (name) => name === file || ts.sys.fileExists(name),
  readFile: ts.sys.readFile,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
});

/** Opens a program below the imports. Each `^` marks the place after it; returns these places. */
function open(text: string): number[] {
  const [start = "", ...parts] = (imports + text).split("^");
  const places: number[] = [];
  program = start;
  for (const part of parts) {
    places.push(program.length);
    program += part;
  }
  version++;
  return places;
}

/** The texts for the names that begin at each `^`. */
export function hovers(text: string): Hover[] {
  return open(text).map((place) => {
    const info = service.getQuickInfoAtPosition(file, place);
    return hoverOf(ts.displayPartsToString(info?.displayParts), info);
  });
}

/** The texts for the names that begin at the `^` of each program. Opening all programs together is far faster. */
export function hoversOf(programs: readonly string[]): Hover[] {
  return hovers(together(programs));
}

/** The names that are offered at `^`, in the order of the alphabet. */
export function completions(text: string): string[] {
  return completionsOf([text])[0]?.toSorted() ?? [];
}

/** The names that are offered at the `^` of each program. */
export function completionsOf(programs: readonly string[]): string[][] {
  const offered = (place: number) => service.getCompletionsAtPosition(file, place, {})?.entries.map(({ name }) => name) ?? [];
  return open(together(programs)).map(offered);
}

function together(programs: readonly string[]): string {
  return programs.map((program) => `{ ${program} }\n`).join("");
}

/** The messages of the compiler for a program. */
export function problems(text: string): string[] {
  open(text);
  return [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)].map(({ messageText }) =>
    ts.flattenDiagnosticMessageText(messageText, "\n"),
  );
}

/** The signature, and the text above it, for the call whose parentheses are around each `^`. */
export function signatures(text: string): Hover[] {
  return open(text).map((place) => {
    const [shown] = service.getSignatureHelpItems(file, place, undefined)?.items ?? [];
    const parameters = (shown?.parameters ?? []).map(({ displayParts }) => ts.displayPartsToString(displayParts));
    const parts = [ts.displayPartsToString(shown?.prefixDisplayParts), ts.displayPartsToString(shown?.suffixDisplayParts)];
    return hoverOf(parts.join(parameters.join(", ")), shown);
  });
}

function hoverOf(type: string, about: Pick<ts.QuickInfo, "documentation" | "tags"> | undefined): Hover {
  const tags = (about?.tags ?? []).map(({ name, text }) => [name, ts.displayPartsToString(text)]);
  // Types are printed as members of the import.
  const shown = type.replaceAll(/\bclient\./g, "");
  return { type: shown, text: ts.displayPartsToString(about?.documentation), tags: Object.fromEntries(tags) };
}
