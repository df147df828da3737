/** The rows of the commands: mock and conformance test, by their packages on each Node.js. */
import { join } from "node:path";
import { installed, nodes, nodeTooOld } from "./cache.ts";
import { firstLine, killGroup, type Row, run, start } from "./command.ts";

export function commandRows(project: string): Row[] {
  const command = (name: string): string => join(project, "node_modules/.bin", name);
  const test = nodes.map((version) => ({
    runtime: "node",
    version,
    what: "mock, conformance",
    async prove(signal: AbortSignal) {
      const node = await nodeOf(version, signal);
      const mock = start(node, [command("chain-query-mock"), "--port", "0", "--quiet"], { cwd: project, signal });
      try {
        const url = await firstLine(mock);
        await run(node, [command("chain-query-conformance"), url], { cwd: project, signal });
      } finally {
        killGroup(mock);
      }
    },
  }));
  const refuse = ["chain-query-mock", "chain-query-conformance"].map((name) => ({
    runtime: "node",
    version: nodeTooOld,
    what: `${name.slice(12)} refuses`,
    async prove(signal: AbortSignal) {
      const node = await nodeOf(nodeTooOld, signal);
      const message = await run(node, [command(name)], { cwd: project, signal }).then(String, ({ message }: Error) => message);
      const line = `${name}: Node.js ${nodeTooOld} is too old: expected 20.19 or newer of version 20, or 22.12 or newer`;
      if (!message.endsWith(` exited with 1:\n${line}`)) throw new Error(message);
    },
  }));
  return [...test, ...refuse];
}

async function nodeOf(version: string, signal: AbortSignal): Promise<string> {
  return join(await installed(`node-${version}`, { node: version }, signal), "node_modules/.bin/node");
}
