/** TypeScript programs that readers copy, in a folder of this package. */
import { fileURLToPath } from "node:url";
import { type Programs, writePrograms as write } from "@chain-query/testing/markdown";

export { type Programs, run } from "@chain-query/testing/markdown";

const packageFolder = fileURLToPath(new URL("../", import.meta.url));

export function writePrograms(files: Readonly<Record<string, string>>): Programs {
  return write(packageFolder, files);
}
