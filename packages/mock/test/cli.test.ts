import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
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

/** The output, once it holds what is waited for. */
async function outputOf({ child, output, errors }: Run, pattern: RegExp): Promise<string> {
  while (!pattern.test(output())) {
    if (child.exitCode !== null) throw new Error(`the command ended: ${errors()}`);
    if (child.stdout !== null) await Promise.race([once(child.stdout, "data"), once(child, "close")]);
  }
  return output();
}

async function urlOf(command: Run): Promise<string> {
  // Up to the character after it: what has arrived may end within the port.
  return /http:\/\/[\d.:]+/.exec(await outputOf(command, /http:\/\/[\d.:]+[^\d.:]/))?.[0] ?? "";
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

  test("prints a curl line for each operation that works as it is printed", async () => {
    const command = run(["--port", "0"]);
    await urlOf(command);
    const lines = (await outputOf(command, /^(curl .*\n){8}/m)).match(/^curl .*/gm) ?? [];
    const answers = lines.map(async (line) => {
      const { stdout } = await promisify(execFile)("sh", ["-c", line]);
      return JSON.parse(stdout);
    });
    for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ ok: true });
    const paths = new Set(lines.map((line) => /\/api\/v2\/(\w+)/.exec(line)?.[1]));
    expect(paths.size).toBe(8);
  });

  test("tells of each request in a line, of JSON where that is wished, and never the key", async () => {
    const secret = { headers: { "x-api-key": "secret" } };
    for (const [flags, pattern] of [
      [[], /^\S+ GET \/api\/v2\/getMasterchainInfo 200 \d+ ms$/m],
      [
        ["--json"],
        /^\{.*"path":"\/api\/v2\/getMasterchainInfo","query":\{\},"key":"\[redacted\]","status":200,"ms":[\d.]+\}$/m,
      ],
    ] as const) {
      const command = run(["--port", "0", ...flags]);
      await fetch(`${await urlOf(command)}/api/v2/getMasterchainInfo`, secret);
      expect(await outputOf(command, /getMasterchainInfo.*200.*\n/)).toMatch(pattern);
      expect(command.output()).not.toContain("secret");
      if (flags.length > 0)
        for (const line of command.output().trim().split("\n")) expect(() => JSON.parse(line)).not.toThrow();
    }
  });

  test("prints the URL alone where it is to be quiet", async () => {
    const command = run(["--port", "0", "--quiet"]);
    const url = await urlOf(command);
    await fetch(`${url}/api/v2/getMasterchainInfo`);
    command.child.kill("SIGINT");
    await command.ended;
    expect(command.output()).toBe(`${url}\n`);
  });

  test("takes conditions by flag", async () => {
    const command = run([
      "--port=0",
      "--quiet",
      "--fail=1=503",
      "--api-keys=a,b",
      "--latency=1..2",
      "--seed=3",
      "--rate-limit",
    ]);
    const url = `${await urlOf(command)}/api/v2/getMasterchainInfo`;
    const status = async (headers: Record<string, string>): Promise<number> => (await fetch(url, { headers })).status;
    expect(await status({ "x-api-key": "c" })).toBe(401);
    expect(await status({ "x-api-key": "b" })).toBe(503);
    expect(await status({})).toBe(503);
    expect(await status({})).toBe(429);
  });

  test("ends quietly where nobody reads on", async () => {
    const command = run(["--port", "0"]);
    const url = await urlOf(command);
    command.child.stdout?.destroy();
    // Only a line that cannot be written tells the mock that its reader is gone.
    await fetch(`${url}/api/v2/getMasterchainInfo`).catch(() => undefined);
    expect(await command.ended).toEqual({ code: 0, signal: null });
    expect(command.errors()).toBe("");
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
    [["--seed", "-1"], /--seed/],
    [["--seed", "1.5"], /--seed "1\.5": a whole number/],
    [["--latency", "200..50"], /--latency "200\.\.50": milliseconds/],
    [["--latency", "soon"], /--latency "soon"/],
    [["--fail", "0.05"], /--fail "0\.05": a share/],
    [["--fail", "0.6=500", "--fail", "0.6=503"], /--fail .*more than 1/],
    [["--drop", "2"], /--drop "2": a share/],
    [["--rate-with-key", "0"], /--rate-with-key "0"/],
    [["--api-keys", "a,,b"], /--api-keys "a,,b"/],
    [["--quiet", "--json"], /--quiet and --json/],
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
  const library = new URL("../dist/index.js", import.meta.url).href;

  test.for<[what: string, program: string]>([
    ["after an answer", "await (await fetch(mock.url + '/api/v2/getMasterchainInfo')).text();"],
    [
      "while an answer waits",
      "fetch(slow.url).catch(() => {}); while (slow.requests.length === 0) await new Promise((resume) => setTimeout(resume, 10));",
    ],
  ])("%s ends by itself", async ([, program]) => {
    const whole = `
      const { startMock } = await import(${JSON.stringify(library)});
      const mock = await startMock();
      const slow = await startMock({ latency: 600000 });
      ${program}
      await Promise.all([mock.close(), slow.close()]);`;
    const child = node(["--input-type=module", "--eval", whole]);
    expect(await once(child, "close")).toEqual([0, null]);
  });
});
