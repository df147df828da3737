/** The rows of the matrix, and what they work with. */
import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import type { RunOptions } from "@chain-query/testing/processes";

/** One check of the package in a project, which rejects if it fails. */
export interface Row {
  readonly name: string;
  readonly prove: (tools: Tools) => Promise<void>;
}

export const row = (runtime: string, version: string, what: string, prove: Row["prove"]): Row => ({
  name: `${runtime} ${version} ${what}`,
  prove,
});

/** What a row works with: its commands run in the project, and end with the test. */
export interface Tools {
  readonly signal: AbortSignal;
  readonly skip: (reason: string) => never;
  /** Resolves to the stdout of a command; `env` adds variables. */
  readonly run: (command: string, args: readonly string[], options?: Partial<RunOptions>) => Promise<string>;
  /** Runs the Node.js of the tests. */
  readonly node: (...args: string[]) => Promise<string>;
  /** Starts a command; `env` adds variables. */
  readonly start: (command: string, args: readonly string[], options?: Partial<RunOptions>) => ChildProcess;
  /** The path of a file that packages install; see `installed`. */
  readonly installed: (name: string, packages: Readonly<Record<string, string>>, path: string) => Promise<string>;
}

/** The first line that a command prints. */
export async function firstLine({ stdout, spawnfile }: ChildProcess): Promise<string> {
  for await (const line of createInterface(stdout ?? process.stdin)) return line;
  throw new Error(`${spawnfile} ended without a line`);
}
