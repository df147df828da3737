/** The type-level gate: whether programs that were written against the released contract still compile and still hold. */
import { dirname, join } from "node:path";
import ts from "typescript";
import { type Break, promisesOf } from "./promises.ts";

const options: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  module: ts.ModuleKind.ESNext,
  target: ts.ScriptTarget.ES2022,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipDefaultLibCheck: true,
  // Only types are compared: the arrays of ES5 suffice.
  lib: ["lib.es5.d.ts"],
  types: [],
};

const library = join(dirname(ts.getDefaultLibFilePath(options)), "lib.es5.d.ts");
const host = ts.createCompilerHost(options);
const libraryFile = host.getSourceFile(library, ts.ScriptTarget.ES2022);

/**
 * Lists breaking changes of the current types. Both arguments are texts of `typesOf`.
 *
 * @throws Error where the types do not compile at all.
 */
export function breaksOf(released: string, current: string): Break[] {
  const { source, lines } = promisesOf(released, current);
  const root = dirname(library);
  const files = new Map(
    Object.entries({ "released.ts": released, "current.ts": current, "promises.ts": source }).map(([name, text]) => [
      join(root, name),
      ts.createSourceFile(join(root, name), text, ts.ScriptTarget.ES2022, true),
    ]),
  );
  const program = ts.createProgram([...files.keys()], options, {
    ...host,
    fileExists: (path) => files.has(path) || host.fileExists(path),
    getSourceFile: (path, language) => files.get(path) ?? (path === library ? libraryFile : host.getSourceFile(path, language)),
  });
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const text = ts.flattenDiagnosticMessageText(messageText, "\n");
    const line = file === undefined ? undefined : file.getLineAndCharacterOfPosition(start ?? 0).line;
    const promise = line === undefined || file?.fileName !== join(root, "promises.ts") ? undefined : lines.get(line);
    if (promise === undefined) throw new Error(`the types of the contract do not compile: ${file?.fileName}: ${text}`);
    return { ...promise, detail: detailOf(text) };
  });
}

/** Where the compiler found the difference, and the innermost reason that it gives. */
function detailOf(text: string): string {
  const gone = /^Type '((?:"[^"]*"(?: \| )?)+)' does not satisfy the expected type 'never'/.exec(text)?.[1];
  if (gone !== undefined) return `no longer known: ${gone.replaceAll(/"(request\.)?/g, "").replaceAll(" | ", ", ")}`;
  const reasons = text.split("\n").map((reason) => reason.trim());
  const place = reasons.flatMap(
    (reason) => /^(?:Types of property|The types of) '(.+)' are incompatible/.exec(reason)?.[1] ?? [],
  );
  return [...(place.length > 0 ? [place.join(".").replace(/^request\./, "")] : []), reasons.at(-1)].join(": ");
}
