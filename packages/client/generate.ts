/**
 * Writes all that the package derives from the contract into src: what the client knows of each operation, the rules of answers,
 * and fixtures. An operation that the contract gains becomes a method, a rule, fixtures and a handler with its next run.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fixturesSource } from "./fixtures-source.ts";
import { operationsSource } from "./operations-source.ts";
import { validatorsSource } from "./validators-source.ts";

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(import.meta.resolve(`@chain-query/openapi/${name}`)), "utf8"));
const write = (path: string, source: string) => writeFileSync(new URL(`src/${path}`, import.meta.url), source);

const bundle = read("openapi.json");
write("operations.gen.ts", operationsSource(bundle));
write("validate/answers.gen.ts", validatorsSource(bundle));
write("testing/fixtures.gen.ts", fixturesSource(bundle, read("examples.json")));
