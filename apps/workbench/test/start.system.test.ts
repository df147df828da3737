import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import { describe, expect, test, vi } from "vitest";
import { run, says } from "./run.ts";

// Each run asks turbo first, which may have to build.
vi.setConfig({ testTimeout: 120_000 });

const flags = ["--service-port", "--port", "--docs-port"];
const anyPorts = flags.flatMap((flag) => [flag, "0"]);

describe("start", () => {
  test("calls all eight operations of the service, tells where everything is, and ends after the table", async () => {
    const { code, output } = await run("start.ts", ["--once", ...anyPorts]).ended;
    expect(code, output).toBe(0);
    for (const operationId of new Set(examples.map((example) => example.operationId))) {
      expect(output).toMatch(new RegExp(`^${operationId} +200 `, "m"));
    }
    for (const name of ["service", "mock", "docs"]) {
      expect(output).toMatch(new RegExp(`^${name} +http://127\\.0\\.0\\.1:\\d+$`, "m"));
    }
  });

  test("stays up until Ctrl-C, which ends all of it", async () => {
    const running = run("start.ts", anyPorts);
    await says(running, "Ctrl-C ends all three.");
    const [service, mock, docs] = [...running.output().matchAll(/http:\/\/127\.0\.0\.1:\d+/g)].map(([url]) => url);
    expect((await fetch(`${mock}/api/v2/getMasterchainInfo`)).status).toBe(200);
    expect(await (await fetch(`${docs}/`)).text()).toContain("lookupBlock");
    const head = await headOf(service);
    await vi.waitFor(async () => expect(await headOf(service)).toBeGreaterThan(head), { timeout: 30_000, interval: 500 });
    running.child.kill("SIGINT");
    const { code, signal } = await running.ended;
    expect([code, signal]).toEqual([0, null]);
    for (const url of [service, mock, docs]) await expect(fetch(`${url}/`)).rejects.toThrow();
  });

  test.for(flags)("names a taken %s and how to choose another, before anything is built", async (flag) => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const { port } = taken.address() as AddressInfo;
    const others = flags.filter((other) => other !== flag).flatMap((other) => [other, "0"]);
    const { code, output } = await run("start.ts", ["--once", flag, String(port), ...others]).ended;
    taken.close();
    expect(code).toBe(2);
    expect(output).toMatch(new RegExp(`^port ${port} on 127\\.0\\.0\\.1 is taken; choose another with ${flag}`));
    expect(output).not.toMatch(/^ {4}at /m);
  });

  test.for([
    [["--port", "65536"], "--port 65536: a port is a whole number from 0 to 65535"],
    [["--docs-port", "web"], "--docs-port web: a port is a whole number from 0 to 65535"],
    [["--nonsense"], "Unknown option '--nonsense'"],
    [["stray"], "Unexpected argument 'stray'"],
    [["--port", "4700", "--docs-port", "4700"], "--port and --docs-port are both 4700"],
  ] as const)("refuses %j in one line", async ([args, message]) => {
    const { code, output } = await run("start.ts", args).ended;
    expect(code).toBe(2);
    expect(output).toContain(message);
    expect(output.trimEnd().split("\n")).toHaveLength(1);
  });

  test("tells its flags on one screen", async () => {
    const { code, output } = await run("start.ts", ["--help"]).ended;
    expect(code).toBe(0);
    expect(output.split("\n").length).toBeLessThan(25);
  });
});

async function headOf(url: string | undefined): Promise<number> {
  const answer = (await (await fetch(`${url}/api/v2/getMasterchainInfo`)).json()) as { result: { last: { seqno: number } } };
  return answer.result.last.seqno;
}
