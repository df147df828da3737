/** Generates the modules and JSON files of this package from the bundle of Redocly. */
import { readFileSync, writeFileSync } from "node:fs";
import { parse } from "yaml";
import type { Operation } from "../src/operation.ts";
import { decisionsOf } from "./decisions.ts";
import { dereference, objectAt } from "./dereference.ts";
import { sourceOf } from "./module-source.ts";
import { infoOf, operationsOf } from "./operations.ts";
import { requestsModule } from "./requests.ts";

const dist = new URL("../dist/", import.meta.url);
const document: unknown = parse(readFileSync(new URL("openapi.yaml", dist), "utf8"));
const bundle = dereference(document);
const operations = operationsOf(bundle);

write("openapi.json", `${JSON.stringify(document, null, 2)}\n`);
write(
  "examples.json",
  `${JSON.stringify(
    operations.flatMap(({ examples }) => examples),
    null,
    2,
  )}\n`,
);

const schemas = objectAt(objectAt(bundle["components"], "components")["schemas"], "schemas");
const markdown = readFileSync(new URL("../DECISIONS.md", import.meta.url), "utf8");
const decisions = decisionsOf(markdown, objectAt(document, "the bundle"));
const { declarations, expressions } = sourceOf([infoOf(bundle), decisions, schemas, ...operations]);
const [infoSource, decisionsSource, schemasSource, ...operationSources] = expressions;
const ids = operations.map(({ id }) => id);
write(
  "operations.js",
  `/** Generated from the contract by this package's build. */
${declarations}
export const info = ${infoSource};
export const decisions = ${decisionsSource};
export const schemas = ${schemasSource};
export const operationsById = {
${operationSources.map((source, index) => `  ${ids[index]}: ${source},`).join("\n")}
};
export const operations = Object.values(operationsById);
`,
);
write(
  "operations.d.ts",
  `/** Generated from the contract by this package's build. */
import type { Decision, DocumentedExample as Documented, Info, Operation as Described, Schema } from "./operation.js";
export type { Decision, DecisionPlace, Info, Input, InputKind, Response, Schema, SchemaType } from "./operation.js";

/** The name of an operation. */
export type OperationId = ${ids.map((id) => JSON.stringify(id)).join(" | ")};

/** The names of the examples of each operation's responses. */
export interface ExampleNames {
${operations.map(({ id, responses }) => `  readonly ${id}: ${namesIn(responses)};`).join("\n")}
}

/** One operation, with every reference of the contract resolved. */
export type Operation<Id extends OperationId = OperationId> = Described<Id>;

/** One request that the contract documents, and its response. */
export type DocumentedExample = Documented<OperationId>;

/** Metadata of the contract. */
export declare const info: Info;

/** The decisions of DECISIONS.md, in their order. */
export declare const decisions: readonly Decision[];

/** All operations, in the order of the contract. */
export declare const operations: readonly Operation[];

/** All operations by their name. */
export declare const operationsById: { readonly [Id in OperationId]: Operation<Id> };

/** The contract's schemas by their name. The operations share them: an object here is the same object there. */
export declare const schemas: Readonly<Record<string, Schema>>;
`,
);

const requests = await requestsModule(operations, extensibleEnum(schemas["FailureReason"]));
write("requests.js", requests.js);
write("requests.d.ts", requests.dts);

function namesIn(responses: Operation["responses"]): string {
  const names = new Set(responses.flatMap(({ examples }) => Object.keys(examples)));
  return [...names].map((name) => JSON.stringify(name)).join(" | ");
}

function write(name: string, text: string): void {
  writeFileSync(new URL(name, dist), text);
}

/** The known values of a schema that may have others. */
function extensibleEnum(schema: unknown): string[] {
  const values = objectAt(schema, "FailureReason")["x-extensible-enum"];
  return Array.isArray(values) ? values.map(String) : [];
}
