import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import { until } from "@chain-query/testing/until";
import { describe, expect, test } from "vitest";
import { freePorts, start } from "./start.ts";

describe("start", () => {
  test("calls all eight operations, makes blocks, and stops on Ctrl-C", async () => {
    const started = start(...freePorts);
    const output = await started.running;
    for (const operationId of new Set(examples.map((example) => example.operationId))) {
      expect(output).toMatch(new RegExp(`^${operationId} +200 `, "m"));
    }
    const urls = ["service", "mock", "docs"].map(
      (name) => new RegExp(`^${name} +(http://127\\.0\\.0\\.1:\\d+)$`, "m").exec(output)?.[1],
    );
    const [service, mock, docs] = urls;
    expect((await fetch(`${mock}/api/v2/getMasterchainInfo`)).status).toBe(200);
    expect(await (await fetch(`${docs}/`)).text()).toContain("lookupBlock");
    expect((await started.running).trimEnd()).toMatch(new RegExp(`\nOpen the docs: ${docs}$`));
    const head = await headOf(service);
    await until(
      () => headOf(service),
      (later) => later > head,
    );
    started.child.kill("SIGINT");
    expect((await started.ended).code).toBe(0);
    for (const url of urls) await expect(fetch(`${url}/`)).rejects.toThrow();
  });

  test("names a taken port, and how to choose another", async () => {
    const taken = createServer();
    await once(taken.listen(0, "127.0.0.1"), "listening");
    const { port } = taken.address() as AddressInfo;
    const { code, output } = await start("--service-port", "0", "--port", "0", "--docs-port", String(port)).ended;
    taken.close();
    expect({ code, output }).toEqual({
      code: 2,
      output: `start: port ${port} on 127.0.0.1 is taken; choose another with --docs-port, or 0 for any free one\n`,
    });
  });

  test("refuses one port for two", async () => {
    const { code, output } = await start("--service-port=0", "--port=4700", "--docs-port=4700").ended;
    expect({ code, output }).toEqual({
      code: 2,
      output: "start: --port and --docs-port are both 4700; expected a port for each\n",
    });
  });
});

async function headOf(url: string | undefined): Promise<number> {
  const body = (await (await fetch(`${url}/api/v2/getMasterchainInfo`)).json()) as { result: { last: { seqno: number } } };
  return body.result.last.seqno;
}
