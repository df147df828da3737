/** Writes the package's version into `info.version` after `changeset version`, and keeps comments and layout. */
import { readFileSync, writeFileSync } from "node:fs";
import packageJson from "../package.json" with { type: "json" };

const source = new URL("../openapi.yaml", import.meta.url);
const before = readFileSync(source, "utf8");
const after = before.replace(/^( {2}version: ).*$/m, `$1${packageJson.version}`);
if (!after.includes(`\n  version: ${packageJson.version}\n`)) throw new Error("openapi.yaml: no info.version to stamp");
writeFileSync(source, after);
