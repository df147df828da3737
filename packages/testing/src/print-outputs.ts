/** Vitest's setup file: a failed test prints the last lines of the programs that it started. */
import { beforeAll, beforeEach } from "vitest";
import { forgetOutputs, lastLines } from "./until.ts";

beforeAll(forgetOutputs);
beforeEach(({ onTestFailed }) => {
  onTestFailed(() => {
    const lines = lastLines();
    if (lines !== "") console.error(lines);
  });
});
