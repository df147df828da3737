/** The code of guides and READMEs: finds the blocks, compiles them as a reader's strict compiler would, and runs them. */
import { type ExecFileOptions, execFile } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** A block of code. */
export interface CodeBlock {
  readonly language: string;
  readonly text: string;
  /** Of its first line of code. */
  readonly line: number;
  /** The block of `text` or `json` that follows: directly, or after a paragraph of text. */
  readonly printed: { readonly language: string; readonly text: string; readonly isDirect: boolean } | undefined;
}

/** All blocks, or those in some languages. */
export function codeBlocks(markdown: string, ...languages: readonly string[]): CodeBlock[] {
  const fences = [...markdown.matchAll(/^```(\S*)\n(.*?)^```$/gms)].map((found) => ({
    language: found[1] ?? "",
    text: found[2] ?? "",
    line: markdown.slice(0, found.index).split("\n").length + 1,
    start: found.index,
    end: found.index + found[0].length,
  }));
  const blocks = fences.map(({ language, text, line, end }, index) => {
    const next = fences[index + 1];
    const between = markdown.slice(end, next?.start);
    const isPrinted = next !== undefined && /^(text|json)$/.test(next.language) && /^\n\n([^`#]*\n\n)?$/.test(between);
    const printed = isPrinted ? { language: next.language, text: next.text, isDirect: between === "\n\n" } : undefined;
    return { language, text, line, printed };
  });
  return languages.length === 0 ? blocks : blocks.filter(({ language }) => languages.includes(language));
}

/** Whether an output is the shown one, in which … stands for any text. */
export function printsAs(shown: string, output: string): boolean {
  const parts = shown.trim().split("…");
  let rest = output.trim();
  if (!rest.startsWith(parts[0] ?? "") || !rest.endsWith(parts.at(-1) ?? "")) return false;
  for (const part of parts) {
    const at = rest.indexOf(part);
    if (at === -1) return false;
    rest = rest.slice(at + part.length);
  }
  return parts.length > 1 || rest === "";
}

/** Runs a program and gives its output; rejects if it fails. */
export const run: (
  file: string,
  args: readonly string[],
  options?: ExecFileOptions,
) => Promise<{ stdout: string; stderr: string }> = promisify(execFile);

export interface Programs {
  folder: string;
  /** The messages of the compiler; empty if it accepts all files. */
  compile: () => Promise<string>;
  /** Runs files one after another in one process, which is cheaper, and resolves to the output of each. Rejects if one fails or warns. */
  runAll: (files: readonly string[]) => Promise<Readonly<Record<string, string>>>;
  dispose: () => void;
}

/** Options of a strict compiler, as readers have them. */
const options = fileURLToPath(new URL("../../../tsconfig.consumer.json", import.meta.url));

const runner = `const outputs = {};
const { write } = process.stdout;
for (const file of process.argv.slice(2)) {
  outputs[file] = "";
  process.stdout.write = (part) => { outputs[file] += part; return true; };
  await import("./" + file).catch((error) => console.error(file, error));
}
process.stdout.write = write;
console.log(JSON.stringify(outputs));
`;

/** Writes files, by their paths, into a folder of a package, so that imports of it and of its dependencies resolve. */
export function writePrograms(packageFolder: string, files: Readonly<Record<string, string>>): Programs {
  mkdirSync(join(packageFolder, ".reports"), { recursive: true });
  const folder = mkdtempSync(join(packageFolder, ".reports", "programs-"));
  const tsconfig = JSON.stringify({ extends: options, include: ["**/*.ts", "**/*.mts", "**/*.tsx"] });
  for (const [path, text] of Object.entries({ ...files, "runner.mjs": runner, "tsconfig.json": tsconfig })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return {
    folder,
    compile: async () => {
      const compiler = join(
        createRequire(join(packageFolder, "package.json")).resolve("typescript/package.json"),
        "../bin/tsc",
      );
      const { stdout } = await run(process.execPath, [compiler, "-p", folder]).catch((failed) => failed);
      return stdout;
    },
    runAll: async (names) => {
      const { stdout, stderr } = await run(process.execPath, [join(folder, "runner.mjs"), ...names]);
      if (stderr !== "") throw new Error(stderr);
      return JSON.parse(stdout);
    },
    dispose: () => rmSync(folder, { recursive: true }),
  };
}

const workspace = fileURLToPath(new URL("../../../", import.meta.url));

/** Writes an npx into a new folder, which goes first into PATH: it runs the packages of this workspace in place of the registry's. */
export function writeNpx(folder: string): void {
  const cases = globSync("{packages,apps}/*/package.json", { cwd: workspace }).flatMap((file) => {
    const { name, bin = {} }: { name: string; bin?: Record<string, string> } = JSON.parse(
      readFileSync(join(workspace, file), "utf8"),
    );
    return Object.values(bin).map((program) => `  ${name}) program='${join(workspace, file, "..", program)}' ;;`);
  });
  const script = ["#!/bin/sh", 'name="$1"', "shift", 'case "$name" in', ...cases, "esac"];
  mkdirSync(folder);
  writeFileSync(join(folder, "npx"), `${script.join("\n")}\nexec '${process.execPath}' "$program" "$@"\n`, { mode: 0o755 });
}
