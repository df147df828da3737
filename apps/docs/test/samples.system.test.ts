/** Every code sample, compiled and run against the mock. */
import { join } from "node:path";
import { type Mock, startMock } from "@chain-query/mock";
import type { DocumentedExample } from "@chain-query/openapi/operations";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { documentedExamples } from "../src/contract/contract.ts";
import { apiKeyOf } from "../src/samples/request.ts";
import { sampledExamples, samplesOf } from "../src/samples/samples.ts";
import { type Programs, run, writePrograms } from "./programs.ts";

interface Sample {
  name: string;
  label: string;
  file: string;
  example: DocumentedExample;
}

const sampled = sampledExamples(documentedExamples);
const samples: Sample[] = sampled.flatMap((example) =>
  ["curl", "Client", "fetch"].map((label) => ({
    name: `${example.operationId}, ${example.condition}, ${label}`,
    label,
    file: `${example.operationId}.${example.condition}.${label}.${label === "curl" ? "sh" : "mts"}`,
    example,
  })),
);

/** Runs each program in one process, and prints by its file what it logs. */
const runner = `const outputs = {};
for (const [file, key] of JSON.parse(process.argv[2])) {
  if (key === null) delete process.env.CHAIN_API_KEY;
  else process.env.CHAIN_API_KEY = key;
  console.log = (value) => { outputs[file] = value; };
  await import("./" + file);
}
process.stdout.write(JSON.stringify(outputs));
`;

let mock: Mock;
let programs: Programs;
let outputs: Record<string, unknown>;
beforeAll(async () => {
  mock = await startMock();
  const sources = sampled.flatMap(({ operationId, request, response }) =>
    samplesOf({ operationId, ...request }, mock.url, response.status >= 300).map(({ source }) => source),
  );
  const files = Object.fromEntries(samples.map(({ file }, index) => [file, sources[index] ?? ""]));
  programs = writePrograms({ ...files, "runner.mjs": runner });
  const modules = samples.filter(({ file }) => file.endsWith(".mts"));
  const keyed = modules.map(({ file, example }) => [file, apiKeyOf(example.request) ?? null]);
  const { stdout } = await run(process.execPath, [join(programs.folder, "runner.mjs"), JSON.stringify(keyed)]);
  outputs = JSON.parse(stdout);
});
afterAll(async () => {
  await mock?.close();
  programs?.dispose();
});

async function output({ file, example }: Sample): Promise<unknown> {
  if (file in outputs) return outputs[file];
  const env = { PATH: process.env["PATH"], CHAIN_API_KEY: apiKeyOf(example.request) };
  const { stdout } = await run("sh", [join(programs.folder, file)], { env });
  return JSON.parse(stdout);
}

describe("samples", () => {
  test("compile with a strict compiler", async () => {
    expect(await programs.compile()).toBe("");
  });

  test.concurrent.for(samples)("print what is documented: $name", async (sample, { expect }) => {
    const { body, status } = sample.example.response;
    const result = sample.label === "Client" && status < 300 && "result" in body ? body["result"] : body;
    expect(await output(sample)).toEqual(result);
  });
});
