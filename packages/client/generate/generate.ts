/**
 * Writes all that the package derives from the contract: what the client knows of each operation, the rules of answers, and
 * fixtures. An operation that the contract gains becomes a method, a rule, fixtures and a handler with the next run.
 */
import { writeFileSync } from "node:fs";
import { operations, schemas } from "@chain-query/openapi/operations";
import { answerRules } from "./answer-rules.ts";
import { fixtures } from "./fixtures.ts";
import { operationTable } from "./operation-table.ts";

const write = (path: string, source: string) => writeFileSync(new URL(`../src/${path}`, import.meta.url), source);

write("operations.gen.ts", operationTable(operations, Object.values(schemas)));
write("validate/answers.gen.ts", answerRules(operations));
write("testing/fixtures.gen.ts", fixtures(operations));
