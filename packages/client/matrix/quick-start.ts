/** The rows of the quick start: its mock, its programs and the conformance test, by their packages on each Node.js. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { installed, nodes, nodeTooOld } from "./cache.ts";
import { killGroup, type Row, run, start } from "./command.ts";

const guide = new URL("../../../apps/docs/guides/quick-start.md", import.meta.url);

export function quickStartRows(project: string, signal: AbortSignal): Row[] {
  const command = (name: string): string => join(project, "node_modules/.bin", name);
  const follow = nodes.map((version) => ({
    runtime: "node",
    version,
    what: "quick start, conformance",
    async prove() {
      const node = await nodeOf(version, signal);
      const cwd = join(project, `quick-start-${version}`);
      await mkdir(cwd);
      const mock = start(node, [command("chain-query-mock"), "--port", "0", "--quiet"], { cwd, signal });
      try {
        const url = await firstLine(mock.stdout ?? process.stdin);
        const { program, printed, test } = await programsOf(url);
        await writeFile(join(cwd, "hello.mjs"), program);
        await writeFile(join(cwd, "head.test.ts"), test);
        const output = await run(node, ["hello.mjs"], { cwd, signal });
        if (output !== printed) throw new Error(`hello.mjs printed ${output}`);
        await run(node, [command("vitest"), "run"], { cwd, signal });
        await run(node, [command("chain-query-conformance"), url], { cwd, signal });
      } finally {
        killGroup(mock);
      }
    },
  }));
  const refuse = ["chain-query-mock", "chain-query-conformance"].map((name) => ({
    runtime: "node",
    version: nodeTooOld,
    what: `${name.slice(12)} refuses`,
    async prove() {
      const node = await nodeOf(nodeTooOld, signal);
      const message = await run(node, [command(name)], { cwd: project, signal }).then(String, ({ message }: Error) => message);
      const line = `${name}: Node.js ${nodeTooOld} is too old: expected 20.19 or newer of version 20, or 22.12 or newer`;
      if (!message.endsWith(` exited with 1:\n${line}`)) throw new Error(message);
    },
  }));
  return [...follow, ...refuse];
}

async function nodeOf(version: string, signal: AbortSignal): Promise<string> {
  return join(await installed(`node-${version}`, { node: version }, signal), "node_modules/.bin/node");
}

/** The first program of the guide with its output, and its test. */
async function programsOf(url: string): Promise<{ program: string; printed: string; test: string }> {
  const text = (await readFile(guide, "utf8")).replaceAll("http://127.0.0.1:4010", url);
  const [, program, printed] = /^```ts\n(.*?)^```\n\n```text\n(.*?)^```$/ms.exec(text) ?? [];
  const [, test] = /^```ts\n(\/\/ head\.test\.ts\n.*?)^```$/ms.exec(text) ?? [];
  if (program === undefined || printed === undefined || test === undefined) throw new Error(`${guide}: no program or no test`);
  return { program, printed, test };
}

async function firstLine(stdout: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(stdout)) return line;
  throw new Error("the mock ended before it listened");
}
