/** The repository of the project, which packages name in their package.json. */
import { readFileSync } from "node:fs";

const manifest = JSON.parse(readFileSync(new URL(import.meta.resolve("@chain-query/openapi/package.json")), "utf8"));

/** URL of the repository, without a trailing slash. */
export const repository: string = manifest.repository.url.replace(/^git\+|\.git$/g, "");

/** URL of the form that edits a file of the repository. */
export function editUrl(path: string): string {
  return `${repository}/edit/main/${path}`;
}
