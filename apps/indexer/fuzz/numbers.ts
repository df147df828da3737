import { createHash } from "node:crypto";

/** Makes a function that returns the next of the whole numbers from 0 to below a limit that follow from a seed. */
export function numbers(seed: number): (limit: number) => number {
  let count = 0;
  return (limit) => createHash("sha256").update(`${seed}/${count++}`).digest().readUInt32BE() % limit;
}
