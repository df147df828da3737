import type { Circumstances, Executed, Refused } from "./machine.ts";

/** What a machine's thread is asked to do. */
export interface MachineTask {
  readonly number: number;
  /** A message as a bag of cells, or which of the clock's starts. */
  readonly what: Uint8Array | "tick" | "tock";
  readonly circumstances: Circumstances;
}

/** What came of it: under the task's number, or why it could not be done. */
export type MachineAnswer =
  | { readonly number: number; readonly result: Executed | Refused }
  | { readonly number: number; readonly error: string };
