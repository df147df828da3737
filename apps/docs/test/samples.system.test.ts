/** Every sample, compiled as a reader's compiler would and really run against the mock. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Mock, startMock } from "@chain-query/mock";
import type { DocumentedExample } from "@chain-query/openapi/operations";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { documentedExamples } from "../src/contract/contract.ts";
import { keyIn } from "../src/samples/request.ts";
import { sampledExamples, samplesOf } from "../src/samples/samples.ts";

const run = promisify(execFile);
const room = fileURLToPath(new URL("../", import.meta.url));
const sampled = sampledExamples(documentedExamples);

interface Program {
  name: string;
  label: string;
  file: string;
  example: DocumentedExample;
  source: (baseUrl: string) => string;
}

const programs: Program[] = sampled.flatMap((example) => {
  const { operationId, condition, request, response } = example;
  const samples = (baseUrl: string) => samplesOf({ operationId, ...request }, baseUrl, response.status >= 300);
  return samples("").map(({ label, lang }, index) => ({
    name: `${operationId}, ${condition}, ${label}`,
    label,
    file: `${operationId}.${condition}.${label}.${lang === "Shell" ? "sh" : "mts"}`,
    example,
    source: (baseUrl) => samples(baseUrl)[index]?.source ?? "",
  }));
});

/** Makes console.log print the whole of what it is given, as JSON, so that nothing of it stays unread. */
const wholeLogs = `data:text/javascript,console.log=(value)=>process.stdout.write(JSON.stringify(value))`;

let folder: string;
let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
  // Inside the package, so that the client's name leads to the client.
  await mkdir(join(room, ".reports"), { recursive: true });
  folder = await mkdtemp(join(room, ".reports", "samples-"));
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    target: "es2023",
    lib: ["es2023", "dom"],
    module: "nodenext",
    types: ["node"],
    skipLibCheck: true,
    noEmit: true,
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.mts"] }));
  for (const { file, source } of programs) await writeFile(join(folder, file), source(mock.url));
});
afterAll(async () => {
  await mock?.close();
  await rm(folder, { recursive: true, force: true });
});

async function output({ file, example }: Program): Promise<unknown> {
  const [program, args] = file.endsWith(".sh")
    ? ["sh", [join(folder, file)]]
    : [process.execPath, ["--import", wholeLogs, join(folder, file)]];
  const key = keyIn(example.request);
  const env = { PATH: process.env["PATH"], ...(key === undefined ? {} : { CHAIN_API_KEY: key }) };
  const { stdout } = await run(program, args, { env });
  return JSON.parse(stdout);
}

describe("samples", () => {
  test("are there for every operation, as curl, client and fetch", () => {
    const operations = new Set(documentedExamples.map(({ operationId }) => operationId));
    expect(operations.size).toBe(8);
    for (const operationId of operations) {
      const labels = programs.filter(({ example }) => example.operationId === operationId).map(({ label }) => label);
      expect([...new Set(labels)]).toEqual(["curl", "Client", "fetch"]);
    }
  });

  test("take each documented request once", () => {
    const requests = documentedExamples.map(({ operationId, request }) => JSON.stringify([operationId, request]));
    expect(sampled).toHaveLength(new Set(requests).size);
  });

  test("never hold a key", () => {
    const keyed = programs.filter(({ example }) => keyIn(example.request) !== undefined);
    expect(keyed.length).toBeGreaterThan(0);
    for (const { source, example } of keyed) {
      expect(source("")).toContain("CHAIN_API_KEY");
      for (const value of Object.values(example.request.headers)) expect(source("")).not.toContain(value);
    }
  });

  test("compile as a reader's strict compiler wants", async () => {
    const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");
    const { stdout } = await run(process.execPath, [compiler, "-p", folder]).catch((failed) => failed);
    expect(stdout).toBe("");
  });

  test.concurrent.for(programs)("print what is documented: $name", async (program, { expect }) => {
    const { body, status } = program.example.response;
    const result = program.label === "Client" && status < 300 && "result" in body ? body["result"] : body;
    expect(await output(program)).toEqual(result);
  });
});
