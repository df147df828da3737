/** TypeScript programs that readers copy: compiled as a reader's strict compiler would, and run. */
import { type ExecFileOptions, execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Runs a program and gives its output; rejects if it fails. */
export const run: (
  file: string,
  args: readonly string[],
  options?: ExecFileOptions,
) => Promise<{ stdout: string; stderr: string }> = promisify(execFile);

const packageFolder = fileURLToPath(new URL("../", import.meta.url));
/** Options of a strict compiler, as readers have them. */
const options = fileURLToPath(new URL("../../../tsconfig.consumer.json", import.meta.url));

export interface Programs {
  folder: string;
  /** The messages of the compiler; empty if it accepts all files. */
  compile: () => Promise<string>;
  dispose: () => void;
}

/** Writes files, by their paths, into a folder of this package, so that imports of its dependencies resolve. */
export function writePrograms(files: Readonly<Record<string, string>>): Programs {
  mkdirSync(join(packageFolder, ".reports"), { recursive: true });
  const folder = mkdtempSync(join(packageFolder, ".reports", "programs-"));
  const tsconfig = JSON.stringify({ extends: options, include: ["**/*.ts", "**/*.mts", "**/*.tsx"] });
  for (const [path, text] of Object.entries({ ...files, "tsconfig.json": tsconfig })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return {
    folder,
    compile: async () => {
      const compiler = join(createRequire(import.meta.url).resolve("typescript/package.json"), "../bin/tsc");
      const { stdout } = await run(process.execPath, [compiler, "-p", folder]).catch((failed) => failed);
      return stdout;
    },
    dispose: () => rmSync(folder, { recursive: true }),
  };
}
