import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import { describe, expect, test, vi } from "vitest";
import { run, says } from "./run.ts";

// Each run asks turbo first, which may have to build.
vi.setConfig({ testTimeout: 120_000 });

const anyPorts = ["--port", "0", "--docs-port", "0"];

describe("start", () => {
  test("calls all eight operations, tells where mock and docs are, and ends after the table", async () => {
    const { code, output } = await run("start.ts", ["--once", ...anyPorts]).ended;
    expect(code, output).toBe(0);
    for (const operationId of new Set(examples.map((example) => example.operationId))) {
      expect(output).toMatch(new RegExp(`^${operationId} +200 `, "m"));
    }
    expect(output).toMatch(/^mock {2}http:\/\/127\.0\.0\.1:\d+$/m);
    expect(output).toMatch(/^docs {2}http:\/\/127\.0\.0\.1:\d+$/m);
  });

  test("stays up until Ctrl-C, which ends both servers", async () => {
    const running = run("start.ts", anyPorts);
    await says(running, "Ctrl-C ends both.");
    const [mock, docs] = [...running.output().matchAll(/http:\/\/127\.0\.0\.1:\d+/g)].map(([url]) => url);
    expect((await fetch(`${mock}/api/v2/getMasterchainInfo`)).status).toBe(200);
    expect(await (await fetch(`${docs}/`)).text()).toContain("lookupBlock");
    running.child.kill("SIGINT");
    const { code, signal } = await running.ended;
    expect([code, signal]).toEqual([0, null]);
    await expect(fetch(`${mock}/`)).rejects.toThrow();
    await expect(fetch(`${docs}/`)).rejects.toThrow();
  });

  test.for(["--port", "--docs-port"])("names a taken %s, who holds it and how to choose another", async (flag) => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const { port } = taken.address() as AddressInfo;
    const others = flag === "--port" ? ["--docs-port", "0"] : ["--port", "0"];
    const { code, output } = await run("start.ts", ["--once", flag, String(port), ...others]).ended;
    taken.close();
    expect(code).toBe(2);
    expect(output).toMatch(new RegExp(`^port ${port} on 127\\.0\\.0\\.1 is taken.*choose another with ${flag}`, "m"));
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
