/** The last released bundle, which `pnpm run version` writes and both comparisons read. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { UsageError } from "../workspace/command-line.ts";

const releasedCopy = "openapi/released/openapi.yaml";
const record = `${releasedCopy}.sha256`;

/** Copies the built bundle to the released one and writes its digest in the format of `sha256sum`. */
export function keepReleased(root: string, version: string): void {
  const bundle = readFileSync(join(root, "openapi/dist/openapi.yaml"), "utf8");
  const text = `# The bundle of @chain-query/openapi ${version}, which the next release is compared with.\n# Written by \`pnpm run version\`; ${basename(record)} detects edits.\n${bundle}`;
  mkdirSync(dirname(join(root, releasedCopy)), { recursive: true });
  writeFileSync(join(root, releasedCopy), text);
  writeFileSync(join(root, record), `${digest(text)}  ${basename(releasedCopy)}\n`);
}

/** Reads the last released bundle. Throws a UsageError if it is missing or was edited. */
export function readReleased(root: string): string {
  const [text, recorded] = [releasedCopy, record].map((path) => read(join(root, path)));
  const missing = text === undefined ? releasedCopy : recorded === undefined ? record : undefined;
  if (missing !== undefined) throw new UsageError(`${missing} is missing; ${remedy}`);
  if (recorded !== `${digest(text ?? "")}  ${basename(releasedCopy)}\n`) {
    throw new UsageError(`${releasedCopy} does not match its digest in ${record}; ${remedy}`);
  }
  return text ?? "";
}

const remedy = `only \`pnpm run version\` writes it; restore it with \`git log -- ${dirname(releasedCopy)}\``;

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
