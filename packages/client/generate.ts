/**
 * Writes src/operations.gen.ts, what the client knows about each operation at run time, from the bundle. An operation that the
 * contract gains becomes a method with its next run.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { operationsSource } from "./operations-source.ts";

const bundle: unknown = JSON.parse(readFileSync(new URL(import.meta.resolve("@chain-query/openapi/openapi.json")), "utf8"));
writeFileSync(new URL("src/operations.gen.ts", import.meta.url), operationsSource(bundle));
