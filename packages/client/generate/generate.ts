/**
 * Generates the operation table, the types of inputs and methods, the response rules and the fixtures from the contract. A new operation gets its method, rule,
 * fixtures and handler with the next run.
 */
import { writeFileSync } from "node:fs";
import { operations, schemas } from "@chain-query/openapi/operations";
import { fixtures } from "./fixtures.ts";
import { inputTypes, methodTypes } from "./input-types.ts";
import { operationTable } from "./operation-table.ts";
import { responseRules } from "./response-rules.ts";

const write = (path: string, source: string) => writeFileSync(new URL(`../src/${path}`, import.meta.url), source);

write("operations/operations.gen.ts", operationTable(operations, Object.values(schemas)));
write("operations/inputs.gen.ts", inputTypes(operations));
write("operations/methods.gen.ts", methodTypes(operations));
write("validate/responses.gen.ts", responseRules(operations));
write("testing/fixtures.gen.ts", fixtures(operations));
