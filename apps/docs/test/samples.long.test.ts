/** Every code sample, compiled and run against the mock. Python and Go are skipped on a machine without them. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Mock, startMock } from "@chain-query/mock";
import { type DocumentedExample, operations, operationsById } from "@chain-query/openapi/operations";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiKeyOf } from "../src/samples/request.ts";
import { sampledExamples, sampleLabels, samplesOf } from "../src/samples/samples.ts";
import { type Programs, run, writePrograms } from "./programs.ts";

interface Sample {
  name: string;
  label: string;
  /** Path of the program in the folder of all. */
  file: string;
  example: DocumentedExample;
}

const files: Record<string, (program: string) => string> = {
  curl: (program) => `${program}.sh`,
  Client: (program) => `${program}.Client.mts`,
  fetch: (program) => `${program}.fetch.mts`,
  Python: (program) => `${program}.py`,
  Go: (program) => `go/${program}/sample.go`,
};
const sampled = sampledExamples(operations.flatMap(({ examples }) => examples));
const samples: Sample[] = sampled.flatMap((example) =>
  sampleLabels.map((label) => ({
    name: `${example.operationId}, ${example.condition}, ${label}`,
    label,
    file: files[label]?.(`${example.operationId}.${example.condition}`) ?? "",
    example,
  })),
);
const withLabel = (...labels: string[]): Sample[] => samples.filter(({ label }) => labels.includes(label));

const python = commandThatRuns("python3", "--version");
const go = commandThatRuns("go", "version");
const goEnv = {
  ...process.env,
  GOCACHE: fileURLToPath(new URL("../node_modules/.cache/go", import.meta.url)),
  GOFLAGS: "-mod=mod",
  GOPROXY: "off",
  GOTOOLCHAIN: "local",
};

function commandThatRuns(command: string, argument: string): boolean {
  try {
    execFileSync(command, [argument], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Runs all TypeScript programs in one process, and prints the log of each, by file. */
const runner = `const outputs = {};
for (const [file, key] of JSON.parse(process.argv[2])) {
  if (key === null) delete process.env.CHAIN_API_KEY;
  else process.env.CHAIN_API_KEY = key;
  console.log = (value) => { outputs[file] = value; };
  await import("./" + file);
}
process.stdout.write(JSON.stringify(outputs));
`;

/** The same for Python. */
const pythonRunner = `import contextlib, io, json, os, runpy, sys
outputs = {}
for file, key in json.loads(sys.argv[1]):
    os.environ.pop("CHAIN_API_KEY", None)
    if key is not None:
        os.environ["CHAIN_API_KEY"] = key
    with contextlib.redirect_stdout(io.StringIO()) as output:
        runpy.run_path(file)
    outputs[file] = json.loads(output.getvalue())
print(json.dumps(outputs))
`;

/** Turns Go programs into packages of one program, whose argument selects one: linking each would take a second. */
function goProgram(own: Readonly<Record<string, string>>): Record<string, string> {
  const paths = Object.keys(own);
  const folders = paths.map((path) => path.split("/")[1] ?? "");
  const imports = folders.map((folder, index) => `\ts${index} "samples/${folder}"\n`).join("");
  const runs = folders.map((folder, index) => `\t\t"${folder}": s${index}.Run,\n`).join("");
  const main = `package main\n\nimport (\n\t"os"\n${imports})\n\nfunc main() {\n\tmap[string]func(){\n${runs}\t}[os.Args[1]]()\n}\n`;
  const packages = paths.map((path, index) => [
    path,
    own[path]?.replace("package main", `package s${index}`).replace("func main()", "func Run()") ?? "",
  ]);
  return { ...Object.fromEntries(packages), "go/main/main.go": main, "go/go.mod": "module samples\n\ngo 1.19\n" };
}

let mock: Mock;
let programs: Programs;
beforeAll(async () => {
  mock = await startMock();
  const sources = sampled.flatMap(({ operationId, request, response }) =>
    samplesOf(
      { operationId, ...request, together: operationsById[operationId].together },
      mock.url,
      response.status >= 300,
    ).map(({ source }) => `${source}\n`),
  );
  const written = Object.fromEntries(samples.map(({ file }, index) => [file, sources[index] ?? ""]));
  const inGo = Object.fromEntries(withLabel("Go").map(({ file }) => [file, written[file] ?? ""]));
  programs = writePrograms({ ...written, ...goProgram(inGo), "keyed.mjs": runner, "keyed.py": pythonRunner });
});
afterAll(async () => {
  await mock?.close();
  programs?.dispose();
});

/** Runs one program in a process of its own and parses its output. */
async function printed(command: string, args: readonly string[], { example }: Sample): Promise<unknown> {
  const env = { ...process.env, CHAIN_API_KEY: apiKeyOf(example.request) };
  const { stdout } = await run(command, args, { cwd: programs.folder, env });
  return JSON.parse(stdout);
}

/** Runs programs in one process. Returns the output of each, by file. */
async function printedByFile(command: string, script: string, own: readonly Sample[]): Promise<unknown> {
  const keyed = own.map(({ file, example }) => [file, apiKeyOf(example.request) ?? null]);
  const { stdout } = await run(command, [join(programs.folder, script), JSON.stringify(keyed)], { cwd: programs.folder });
  return JSON.parse(stdout);
}

function documented({ label, example: { operationId, response } }: Sample): unknown {
  const { body, status } = response;
  // The client does not send a request that the contract refuses.
  if (label === "Client" && status === 422) return expect.stringMatching(new RegExp(`^${operationId}: `));
  return label === "Client" && status < 300 && "result" in body ? body["result"] : body;
}

const documentedByFile = (own: readonly Sample[]): object =>
  Object.fromEntries(own.map((sample) => [sample.file, documented(sample)]));

describe("samples", () => {
  test("in TypeScript compile with a strict compiler", async () => {
    expect(await programs.compile()).toBe("");
  });

  test("in TypeScript print the documented response", async () => {
    const modules = withLabel("Client", "fetch");
    expect(await printedByFile(process.execPath, "keyed.mjs", modules)).toEqual(documentedByFile(modules));
  });

  test.concurrent.for(withLabel("curl"))("print what is documented: $name", async (sample, { expect }) => {
    expect(await printed("sh", [sample.file], sample)).toEqual(documented(sample));
  });

  test.skipIf(!python)(`in Python print what is documented${python ? "" : " (skipped: no python3)"}`, async () => {
    const scripts = withLabel("Python");
    expect(await printedByFile("python3", "keyed.py", scripts)).toEqual(documentedByFile(scripts));
  });

  test.skipIf(!go)(
    `in Go are formatted, compile and print what is documented${go ? "" : " (skipped: no go)"}`,
    { timeout: 300_000 },
    async () => {
      const folder = join(programs.folder, "go");
      const binary = join(programs.folder, "go-samples");
      const samplesInGo = withLabel("Go").map(({ file }) => join(programs.folder, file));
      expect((await run("gofmt", ["-l", ...samplesInGo])).stdout).toBe("");
      await run("go", ["build", "-o", binary, "./main"], { cwd: folder, env: goEnv });
      for (const sample of withLabel("Go")) {
        const name = sample.file.split("/")[1] ?? "";
        expect(await printed(binary, [name], sample), sample.name).toEqual(documented(sample));
      }
    },
  );
});
