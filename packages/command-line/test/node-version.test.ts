import { afterEach, expect, test, vi } from "vitest";
import { checkNodeVersion } from "../src/node-version.ts";

const oldest = ["20.19", "22.12"];
const exitCode = process.exitCode;
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = exitCode;
});

test.for(["20.19.0", "20.20.2", "22.12.0", "23.0.0", "24.18.0", "26.0.0", process.versions.node])("accepts %s", (version) => {
  const error = vi.spyOn(console, "error");
  expect(checkNodeVersion("chain-query-mock", oldest, version)).toBe(true);
  expect(error).not.toHaveBeenCalled();
  expect(process.exitCode).toBe(exitCode);
});

test.for(["12.22.12", "18.20.8", "20.18.3", "21.7.3", "22.11.0"])("rejects %s with one line", (version) => {
  const error = vi.spyOn(console, "error").mockReturnValue();
  expect(checkNodeVersion("chain-query-mock", oldest, version)).toBe(false);
  expect(error.mock.calls).toEqual([
    [`chain-query-mock: Node.js ${version} is too old: expected 20.19 or newer of version 20, or 22.12 or newer`],
  ]);
  expect(process.exitCode).toBe(1);
});

test("a program for one release line and later ones", () => {
  const error = vi.spyOn(console, "error").mockReturnValue();
  expect(["24.18.0", "24.21.0", "25.0.0"].map((version) => checkNodeVersion("chain-query-server", ["24.18"], version))).toEqual(
    [true, true, true],
  );
  expect(checkNodeVersion("chain-query-server", ["24.18"], "22.12.0")).toBe(false);
  expect(error.mock.calls).toEqual([["chain-query-server: Node.js 22.12.0 is too old: expected 24.18 or newer"]]);
});
