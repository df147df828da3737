import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { showIfFailed, until } from "@chain-query/testing/until";
import { afterEach, describe, expect, test } from "vitest";

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
  showIfFailed(`chain-query-mock ${args.join(" ")}`, () => output() + errors());
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

/** Waits until the output matches. */
function outputOf({ child, output, errors }: Run, pattern: RegExp): Promise<string> {
  return until(
    () => {
      if (child.exitCode !== null) throw new Error(`the command ended: ${errors()}`);
      return output();
    },
    (text) => pattern.test(text),
  );
}

async function urlOf(command: Run): Promise<string> {
  // With the character after it: a chunk may end within the port.
  return /http:\/\/[\d.:]+/.exec(await outputOf(command, /http:\/\/[\d.:]+[^\d.:]/))?.[0] ?? "";
}

describe("chain-query-mock", () => {
  test.for<NodeJS.Signals>(["SIGINT", "SIGTERM"])("answers at the URL that it prints, until %s", async (signal) => {
    const command = run(["--port", "0", "--fail=1=503", "--api-keys=a,b"]);
    const url = `${await urlOf(command)}/api/v2/getMasterchainInfo`;
    expect((await fetch(url)).status).toBe(503);
    expect((await fetch(url, { headers: { "x-api-key": "secret" } })).status).toBe(401);
    expect(await outputOf(command, / 401 .*\n/)).toMatch(/^\S+ GET \/api\/v2\/getMasterchainInfo 503 \d+ ms\n\S+ GET .* 401 /m);
    command.child.kill(signal);
    expect(await command.ended).toEqual({ code: 0, signal: null });
    expect([command.errors(), command.output().includes("secret")]).toEqual(["", false]);
    await expect(fetch(url)).rejects.toThrow();
  });

  test("prints curl commands that a shell runs", async () => {
    const command = run(["--port", "0"]);
    await urlOf(command);
    const lines = (await outputOf(command, /^(curl .*\n){8}/m)).match(/^curl .*/gm) ?? [];
    const responses = lines.map(async (line) => {
      const { stdout } = await promisify(execFile)("sh", ["-c", line]);
      return JSON.parse(stdout);
    });
    for (const response of await Promise.all(responses)) expect(response).toMatchObject({ ok: true });
    const paths = new Set(lines.map((line) => /\/api\/v2\/(\w+)/.exec(line)?.[1]));
    expect(paths.size).toBe(8);
  });

  test("ends when the reader of its output goes away", async () => {
    const command = run(["--port", "0"]);
    const url = await urlOf(command);
    command.child.stdout?.destroy();
    // The mock notices at the next line that it writes.
    await fetch(`${url}/api/v2/getMasterchainInfo`).catch(() => undefined);
    expect(await command.ended).toEqual({ code: 0, signal: null });
    expect(command.errors()).toBe("");
  });
});

describe("a program that closes its mock", () => {
  const library = new URL("../dist/index.js", import.meta.url).href;

  test.for<[what: string, program: string]>([
    ["after a response", "await (await fetch(mock.url + '/api/v2/getMasterchainInfo')).text();"],
    [
      "while a response is delayed",
      "fetch(slow.url).catch(() => {}); while (slow.requests.length === 0) await new Promise((resume) => setTimeout(resume, 10));",
    ],
  ])("%s ends", async ([, program]) => {
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
