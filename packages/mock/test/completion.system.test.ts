/** What an editor offers while a test is written, by the language service of TypeScript. */
import { operationsById } from "@chain-query/openapi/operations";
import ts from "typescript-api";
import { describe, expect, test } from "vitest";

const file = new URL("editor.ts", import.meta.url).pathname;

/** The completions at the mark `|` of a program that has a `mock`. */
function completionsAt(call: string): string[] {
  const source = `import type { Mock } from "../src/index.ts";\ndeclare const mock: Mock;\n${call}`;
  const text = source.replace("|", "");
  const read = (path: string): string | undefined => (path === file ? text : ts.sys.readFile(path));
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      types: [],
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      noEmit: true,
    }),
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) => {
      const content = read(path);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => new URL(".", import.meta.url).pathname,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (path) => path === file || ts.sys.fileExists(path),
    readFile: read,
  });
  const found = service.getCompletionsAtPosition(file, source.indexOf("|"), {});
  service.dispose();
  return found?.entries.map(({ name }) => name).toSorted() ?? [];
}

describe("an editor completes mock.override", () => {
  test("with the operations", () => {
    expect(completionsAt('mock.override("|");')).toEqual(Object.keys(operationsById).toSorted());
  });

  test("with the examples of the operation", () => {
    const { responses } = operationsById.lookupBlock;
    const names = new Set(responses.flatMap(({ examples }) => Object.keys(examples)));
    expect(names).toContain("past-head");
    expect(completionsAt('mock.override("lookupBlock", "|");')).toEqual([...names].toSorted());
  });
});
