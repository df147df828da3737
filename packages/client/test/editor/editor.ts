/** What an editor shows: the TypeScript language service on a program that uses the client's source. */
import { fileURLToPath } from "node:url";
import ts from "typescript";

const file = fileURLToPath(new URL("program.ts", import.meta.url));
const options: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
  types: [],
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
};
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

const preamble = `
import { createClient } from "../../src/index.ts";
import { createQueries } from "../../src/query.ts";
const chain = createClient({ baseUrl: "" });
const queries = createQueries(chain);
`;

/** Opens a program, in which `|` marks a place, and gives that place. */
function open(text: string): number {
  const whole = preamble + text;
  program = whole.replace("|", "");
  version++;
  return whole.indexOf("|");
}

/** The hover text at the place marked by `|`. */
export function hover(text: string): { type: string; text: string; tags: Record<string, string> } {
  const info = service.getQuickInfoAtPosition(file, open(text));
  const tags = (info?.tags ?? []).map(({ name, text: words }) => [name, ts.displayPartsToString(words)]);
  return {
    type: ts.displayPartsToString(info?.displayParts),
    text: ts.displayPartsToString(info?.documentation),
    tags: Object.fromEntries(tags),
  };
}

/** The names that are offered at the place marked by `|`. */
export function completions(text: string): string[] {
  return service.getCompletionsAtPosition(file, open(text), {})?.entries.map(({ name }) => name) ?? [];
}

/** What the compiler says about a program. */
export function diagnostics(text: string): string[] {
  open(text);
  return [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)].map(({ messageText }) =>
    ts.flattenDiagnosticMessageText(messageText, "\n"),
  );
}

/** What is shown while the arguments of a call are written. */
export function signature(text: string): string {
  const help = service.getSignatureHelpItems(file, open(text), undefined);
  return ts.displayPartsToString(help?.items[0]?.documentation);
}
