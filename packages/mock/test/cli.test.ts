import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { startMock } from "../src/index.ts";

const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

interface Run {
  child: ChildProcess;
  output: () => string;
  errors: () => string;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

function run(args: string[]): Run {
  const child = node([cli, ...args]);
  const output = collected(child.stdout);
  const errors = collected(child.stderr);
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal }));
  return { child, output, errors, ended };
}

function node(args: string[]): ReturnType<typeof spawn> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  return child;
}

function collected(stream: NodeJS.ReadableStream | null): () => string {
  let text = "";
  stream?.on("data", (chunk) => {
    text += String(chunk);
  });
  return () => text;
}

async function urlOf({ child, output, errors }: Run): Promise<string> {
  for (;;) {
    const url = /curl (http:\/\/\S+)\/api/.exec(output())?.[1];
    if (url !== undefined) return url;
    if (child.exitCode !== null) throw new Error(`the command ended: ${errors()}`);
    if (child.stdout !== null) await Promise.race([once(child.stdout, "data"), once(child, "close")]);
  }
}

describe("chain-query-mock", () => {
  test.for<NodeJS.Signals>(["SIGINT", "SIGTERM"])("tells its URL, answers there, and ends at %s", async (signal) => {
    const command = run(["--port", "0"]);
    const url = await urlOf(command);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const answer = await fetch(`${url}/api/v2/getMasterchainInfo`);
    expect(await answer.json()).toMatchObject({ ok: true });
    command.child.kill(signal);
    expect(await command.ended).toEqual({ code: 0, signal: null });
    expect(command.errors()).toBe("");
    await expect(fetch(url)).rejects.toThrow();
  });

  test("listens on another host", async () => {
    const command = run(["--port=0", "--host=0.0.0.0"]);
    const url = await urlOf(command);
    expect((await fetch(`${url}/api/v2/getMasterchainInfo`)).status).toBe(200);
  });

  test("prints help that fits one screen", async () => {
    const command = run(["--help"]);
    expect(await command.ended).toEqual({ code: 0, signal: null });
    expect(command.output()).toMatch(/^Usage: chain-query-mock/);
    expect(command.output().split("\n").length).toBeLessThan(24);
  });

  test("prints its version", async () => {
    const command = run(["--version"]);
    expect(await command.ended).toEqual({ code: 0, signal: null });
    expect(command.output()).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
  });

  test("tells in one line that a port is taken", async () => {
    await using mock = await startMock();
    const { port } = new URL(mock.url);
    const command = run(["--port", port]);
    expect((await command.ended).code).toBe(2);
    expect(command.errors()).toMatch(new RegExp(`^chain-query-mock: port ${port} on 127\\.0\\.0\\.1 is taken.*--port.*\\n$`));
  });

  test.for<[args: string[], error: RegExp]>([
    [["--port", "65536"], /"65536".*0 to 65535/],
    [["--port", "-1"], /--port.*0 to 65535/],
    [["--port=-1"], /"-1".*0 to 65535/],
    [["--port", "4010.5"], /"4010\.5".*0 to 65535/],
    [["--port", "http"], /"http".*0 to 65535/],
    [["--port", ""], /"".*0 to 65535/],
    [["--port"], /--port.*missing/],
    [["--prot", "1"], /'--prot'.*--port/],
    [["-p", "1"], /'-p'.*--port/],
    [["4010"], /'4010'.*--port/],
    [["--help=yes"], /--help/],
    [["--host", "203.0.113.1"], /203\.0\.113\.1.*--host/],
    [["--host", ""], /"".*--host/],
  ])("refuses %j in one line", async ([args, error]) => {
    const command = run(args);
    expect((await command.ended).code).toBe(2);
    expect(command.output()).toBe("");
    expect(command.errors()).toMatch(/^chain-query-mock: [^\n]+\n$/);
    expect(command.errors()).toMatch(error);
  });
});

describe("a program that closes its mock", () => {
  test("ends by itself", async () => {
    const library = new URL("../dist/index.js", import.meta.url).href;
    const program = `
      const { startMock } = await import(${JSON.stringify(library)});
      const mock = await startMock();
      const answer = await fetch(mock.url + "/api/v2/getMasterchainInfo");
      await answer.text();
      await mock.close();`;
    const child = node(["--input-type=module", "--eval", program]);
    expect(await once(child, "close")).toEqual([0, null]);
  });
});
