import { describe, expect, test } from "vitest";
import { type Program, parseCommandLine, type RunSettings, runProgram, UserError, wholeNumber } from "../src/index.ts";

const program = {
  name: "chain",
  manifest: new URL("../package.json", import.meta.url),
  commands: { "": { summary: "", flags: { port: { type: wholeNumber(0, 9), default: "1", help: "" } } } },
} as const satisfies Program;

async function run(args: readonly string[], main: (port: number) => number, settings: RunSettings = {}) {
  const listeners: ((error: NodeJS.ErrnoException) => void)[] = [];
  const io = {
    argv: ["node", "chain", ...args],
    env: {},
    output: "",
    errors: "",
    exitCode: undefined as number | string | null | undefined,
    exited: undefined as number | undefined,
    stdout: {
      write: (text: string) => (io.output += text),
      on: (_: "error", listener: (error: NodeJS.ErrnoException) => void) => listeners.push(listener),
    },
    stderr: { write: (text: string) => (io.errors += text), on: () => {} },
    exit: (code: number) => (io.exited = code),
    break: (code: string) => listeners[0]?.(Object.assign(new Error(code), { code })),
  };
  const parse = (words: readonly string[]) => parseCommandLine(program, words);
  await runProgram(program.name, parse, async ({ port }) => main(port), { ...settings, process: io });
  return io;
}

describe("runProgram", () => {
  test("ends with the exit code of the command", async () => {
    expect(await run(["--port", "3"], (port) => port)).toMatchObject({ exitCode: 3, output: "", errors: "" });
  });

  test("prints help and version without running the command", async () => {
    const ran = { exitCode: undefined, errors: "" };
    expect(await run(["--help"], () => 1)).toMatchObject({ ...ran, output: expect.stringContaining("Usage: chain [options]") });
    expect(await run(["--version"], () => 1)).toMatchObject({ ...ran, output: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  });

  test("prints a line for each problem, with exit code 2", async () => {
    const { exitCode, output, errors } = await run(["--port", "x", "y"], () => 0);
    expect([exitCode, output]).toEqual([2, ""]);
    expect(errors).toBe(
      'chain: unexpected argument "y"; usage: chain [options]\nchain: --port: expected a whole number from 0 to 9, got "x"\n',
    );
  });

  const message = "dir \u001b[31m does not exist";
  const failing = (error: Error) =>
    run([], () => {
      throw error;
    });

  test.each([
    ["a UserError", new UserError(message)],
    ["an error of a package without this one", Object.assign(new Error(message), { isUserError: true })],
  ])("prints %s as a line", async (_, error) => {
    const { exitCode, errors } = await failing(error);
    expect([exitCode, errors]).toEqual([2, "chain: dir \\u{1b}[31m does not exist\n"]);
  });

  test("ends with exit code 75 after an error that may not happen again", async () => {
    const { exitCode, errors } = await failing(Object.assign(new UserError("no answer"), { isRetryable: true }));
    expect([exitCode, errors]).toEqual([75, "chain: no answer\n"]);
  });

  test.each([new Error(message), Object.assign(new Error(message), { isUserError: false })])(
    "throws other errors",
    async (error) => {
      await expect(failing(error)).rejects.toBe(error);
    },
  );

  test("continues or ends when the reader of its output goes away", async () => {
    const finite = await run([], () => 0);
    finite.break("EPIPE");
    expect(finite.exited).toBe(undefined);
    const server = await run([], () => 0, { isService: true });
    server.break("EPIPE");
    expect(server.exited).toBe(0);
  });

  test("reports output that cannot be written on one line, which only a service survives", async () => {
    const finite = await run([], () => 0);
    for (let round = 0; round < 2; round++) finite.break("ENOSPC");
    expect(finite).toMatchObject({ exitCode: 1, exited: undefined, errors: "chain: stdout cannot be written: ENOSPC\n" });
    const service = await run([], () => 0, { isService: true });
    service.break("ENOSPC");
    expect(service).toMatchObject({ exitCode: 0, exited: undefined, errors: finite.errors });
  });
});
