import { readFileSync } from "node:fs";
import { operations, schemas } from "@chain-query/openapi/operations";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { bigintTypes } from "../bigint-types.ts";
import { typesOf, wireTypesOf } from "../bundle-types.ts";
import { documentationOf } from "../documentation.ts";

const bundle = readFileSync(new URL(import.meta.resolve("@chain-query/openapi/openapi.json")), "utf8");
const sourceOf = (file: string) => readFileSync(new URL(`../src/${file}`, import.meta.url), "utf8");
const committed = sourceOf("openapi.gen.ts");

const contract = (components: string) => `
openapi: 3.1.0
info: { title: Echo, version: 1.0.0 }
paths: {}
components: { schemas: { ${components} } }
`;
const object = (member: string) => `{ type: object, required: [it], properties: { it: ${member} } }`;

/** The messages of the compiler about files that exist in memory only. */
function problemsOf(files: Readonly<Record<string, string>>): string[] {
  const settings: ts.CompilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    skipDefaultLibCheck: true,
    // The arrays of ES5 suffice for types.
    lib: ["lib.es5.d.ts"],
    types: [],
  };
  const host = ts.createCompilerHost(settings);
  const textOf = (path: string) => files[path.replace(/^.*\//, "")] ?? host.readFile(path);
  const program = ts.createProgram(
    Object.keys(files).map((name) => `/types/${name}`),
    settings,
    {
      ...host,
      directoryExists: () => true,
      fileExists: (path) => textOf(path) !== undefined,
      readFile: textOf,
      getSourceFile: (path, language) => ts.createSourceFile(path, textOf(path) ?? "", language, true),
    },
  );
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

/** An added name joins the list; a missing one breaks programs. */
const exported = `
AccountAddress AccountState BigintBlockId BigintExtraCurrency BigintFullAccountState BigintLocatedMessage
BigintLocatedTransaction BigintMasterchainInfo BigintMessage BigintOf BigintOutMsgQueueSize
BigintOutMsgQueueSizes BigintResults BigintTransaction BigintTransactionId BigintTransactions BlockId
ConsensusBlock DecryptedTextContent EmptyRequest EncryptedTextContent EnvelopeOf ExtraCurrency Failure
FailureReason FullAccountState GetAddressInformationEnvelope GetAddressInformationRequest
GetConsensusBlockEnvelope GetMasterchainInfoEnvelope GetOutMsgQueueSizeEnvelope GetTransactionsStdEnvelope
Handlers LocatedMessage LocatedTransaction LookupBlockByLt LookupBlockBySeqno LookupBlockByUnixtime
LookupBlockEnvelope LookupBlockRequest MasterchainInfo Message MessageContent OperationId OutMsgQueueSize
OutMsgQueueSizes Proof ProofHead ProofLink RawContent RequestOf ResultOf Schemas TextContent Transaction TransactionId Transactions
TryLocateResultTxEnvelope TryLocateSourceTxEnvelope TryLocateSourceTxRequest components operations paths
`;

test("the exported names are these: programs import them", () => {
  const names = ["index.ts", "openapi.gen.ts", "bigints.gen.ts"].flatMap((file) =>
    [...sourceOf(file).matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name]) => name),
  );
  expect(names.sort()).toEqual(exported.trim().split(/\s+/));
});

describe("named types", () => {
  test("are the committed ones", async () => {
    expect(committed).toContain(await typesOf(bundle, documentationOf(operations, schemas)));
    expect(sourceOf("bigints.gen.ts")).toBe(bigintTypes(operations, schemas));
  });

  test("and the types of openapi-typescript can be assigned to each other", async () => {
    const parts = ["components", "operations", "paths"];
    const source = parts.map((part) => `one.${part} = two.${part}; two.${part} = one.${part};`).join("\n");
    const members = parts.map((part) => `${part}: X.${part}`).join("; ");
    const declared = `declare const one: { ${members.replaceAll("X", "Named")} }, two: { ${members.replaceAll("X", "Wire")} };`;
    const imports = 'import type * as Named from "./named.ts";\nimport type * as Wire from "./wire.ts";';
    const files = { "named.ts": await typesOf(bundle), "wire.ts": await wireTypesOf(bundle) };
    expect(problemsOf({ ...files, "both.ts": `${imports}\n${declared}\n${source}` })).toEqual([]);
  });

  test("are named by the last word of a schema, and leave strings, numbers and booleans inline", async () => {
    const atoms = "Hash: { type: string }, Size: { type: [integer, string] }";
    const objects = `chain.block: ${object("{ $ref: '#/components/schemas/Hash' }")}, list: ${object("{ $ref: '#/components/schemas/Size' }")}`;
    const types = await typesOf(
      contract(`${atoms}, ${objects}, page: ${object("{ $ref: '#/components/schemas/chain.block' }")}`),
    );
    expect(types).toContain("export type Block = {\n    it: string;\n};");
    expect(types).toContain("export type List = {\n    it: number | string;\n};");
    expect(types).toContain("export type Page = {\n    it: Block;\n};");
    expect(types).toContain('"chain.block": Block;');
    expect(types).not.toContain("type Hash");
  });

  test("are refused where two schemas would have one", async () => {
    const twice = `raw.thing: ${object("{ type: string }")}, ext.thing: ${object("{ type: string }")}`;
    await expect(typesOf(contract(twice))).rejects.toThrow("ext.thing and raw.thing are both Thing");
  });

  test("complete the known values of an open list, and take others", async () => {
    const types = await typesOf(contract("State: { type: string, x-extensible-enum: [on, off] }"));
    expect(types).toContain('export type State = "on" | "off" | (string & {});');
  });

  test("have no header that must be there", () => {
    expect(committed).toMatch(/"Retry-After"\?: components\["headers"\]/);
    expect(committed).not.toMatch(/[^?]: components\["headers"\]/);
  });
});

test("a result with bigints needs a schema with a name", () => {
  const [operation = expect.unreachable()] = operations;
  const { title, ...unnamed } = operation.result;
  expect(() => bigintTypes([{ ...operation, result: unnamed }], schemas)).toThrow(
    "getAddressInformation: its result needs a schema of its own, whose name types have",
  );
});
