/** The rows of the commands: mock and conformance test, by their packages on each Node.js. */
import { join } from "node:path";
import { end } from "@chain-query/testing/processes";
import { nodes, nodeTooOld } from "./cache.ts";
import { firstLine, type Row, row, type Tools } from "./command.ts";

export function commandRows(project: string): Row[] {
  const command = (name: string): string => join(project, "node_modules/.bin", name);
  const test = nodes.map((version) =>
    row("node", version, "mock, conformance", async (tools) => {
      const node = await nodeOf(version, tools);
      const mock = tools.start(node, [command("chain-query-mock"), "--port", "0", "--quiet"]);
      try {
        await tools.run(node, [command("chain-query-conformance"), await firstLine(mock), "--seed", "1524003075"]);
      } finally {
        end(mock);
      }
    }),
  );
  const refuse = ["chain-query-mock", "chain-query-conformance"].map((name) =>
    row("node", nodeTooOld, `${name.slice(12)} refuses`, async (tools) => {
      const node = await nodeOf(nodeTooOld, tools);
      const message = await tools.run(node, [command(name)]).then(String, ({ message }: Error) => message);
      const line = `${name}: Node.js ${nodeTooOld} is too old: expected 20.19 or newer of version 20, or 22.12 or newer`;
      if (!message.endsWith(` ended with 1:\n${line}`)) throw new Error(message);
    }),
  );
  return [...test, ...refuse];
}

/** The program of a version of Node.js. */
export function nodeOf(version: string, { installed }: Tools): Promise<string> {
  return installed(`node-${version}`, { node: version }, ".bin/node");
}
