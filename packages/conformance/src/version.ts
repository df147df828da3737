import { readFileSync } from "node:fs";

const manifest: { version: string } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

/** Version of this package. */
export const version: string = manifest.version;
