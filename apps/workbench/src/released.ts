/** The last released bundle: written by `version` alone, read by the gates, and never edited. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { UsageError } from "./workspace/command.ts";

/** Where it lies in the workspace. */
const releasedCopy = "openapi/released/openapi.yaml";
const record = `${releasedCopy}.sha256`;

/** Makes the bundle that was built the last released one, and records its digest as `sha256sum` does. */
export function keepReleased(root: string, version: string): void {
  const bundle = readFileSync(join(root, "openapi/dist/openapi.yaml"), "utf8");
  const text = `# The bundle of @chain-query/openapi ${version}, which the next release is measured by.\n# Written by \`pnpm run version\`. Never edited: ${basename(record)} beside it would tell.\n${bundle}`;
  mkdirSync(dirname(join(root, releasedCopy)), { recursive: true });
  writeFileSync(join(root, releasedCopy), text);
  writeFileSync(join(root, record), `${digest(text)}  ${basename(releasedCopy)}\n`);
}

/** Reads the last released bundle, and refuses one that is missing or is not as `version` wrote it. */
export function readReleased(root: string): string {
  const [text, recorded] = [releasedCopy, record].map((path) => read(join(root, path)));
  const missing = text === undefined ? releasedCopy : recorded === undefined ? record : undefined;
  if (missing !== undefined) throw new UsageError(`${missing} is missing; ${remedy}`);
  if (recorded !== `${digest(text ?? "")}  ${basename(releasedCopy)}\n`) {
    throw new UsageError(`${releasedCopy} is not what its digest in ${record} says; ${remedy}`);
  }
  return text ?? "";
}

const remedy = `only \`pnpm run version\` writes it, and \`git log -- ${dirname(releasedCopy)}\` tells which commit has it as it was`;

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
