import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { isUserError } from "@chain-query/command-line";
import { showIfFailed, until } from "@chain-query/testing/until";
import manifest from "../../package.json" with { type: "json" };
import { parseArguments } from "../../src/command/arguments.ts";
import { run as runHere } from "../../src/command/run.ts";
import { openChain } from "../../src/index.ts";

/** Exit code and output of a command in this process. */
interface Invoked {
  readonly code: number;
  readonly stdout: string;
  /** The message of an expected error. */
  readonly error: string;
}

/** Runs the command in this process. */
export async function invoke(...args: readonly string[]): Promise<Invoked> {
  let stdout = "";
  const write = (text: string | Uint8Array): boolean => {
    stdout += String(text);
    return true;
  };
  const command = parseArguments(args);
  if (command.command === "print") return { code: 0, stdout: command.text, error: "" };
  try {
    const code = await runHere(command, { stdout: { write }, stderr: { isTTY: false, columns: 80, write } });
    return { code, stdout, error: "" };
  } catch (error) {
    if (!isUserError(error)) throw error;
    return { code: 2, stdout, error: error.message };
  }
}

export const command: string = fileURLToPath(new URL(`../../${manifest.bin["chain-query-local-chain"]}`, import.meta.url));

/** Exit code and output of a process. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. */
export function runProcess(program: string, args: readonly string[], options: SpawnOptions = {}): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    showIfFailed([program, ...args].join(" "), () => stdout + stderr);
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** Runs the command to its end. */
export function run(...args: readonly string[]): Promise<Outcome> {
  return runProcess(process.execPath, [command, ...args]);
}

/** Starts the command, and sends it a signal after two blocks. */
export async function runUntil(signal: NodeJS.Signals, ...args: readonly string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [command, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  showIfFailed(`${args[0]} (pid ${child.pid})`, () => stdout + stderr);
  const chain = openChain(args[1] ?? "");
  const before = chain.head().block.id.seqno;
  await until(
    () => chain.head().block.id.seqno,
    (seqno) => seqno >= before + 2,
    120_000,
  );
  await chain.close();
  child.kill(signal);
  const [code] = await once(child, "close");
  return { code, stdout, stderr };
}
