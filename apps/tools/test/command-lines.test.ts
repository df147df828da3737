import { pnpmCommand } from "@chain-query/testing/processes";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

/** Each run is an import of its own, because a command runs when its module is loaded. */
let runs = 0;
let output: { stdout: string; stderr: string };

beforeEach(() => {
  output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      output[name] += text;
      return true;
    });
    vi.spyOn(process[name], "on").mockReturnThis();
  }
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

async function run(folder: string, ...args: string[]): Promise<unknown> {
  vi.spyOn(process, "argv", "get").mockReturnValue([process.execPath, "command.ts", ...args]);
  const { href } = new URL(`../src/${folder}/command.ts?run=${++runs}`, import.meta.url);
  await import(/* @vite-ignore */ href);
  return { status: process.exitCode ?? 0, ...output };
}

const benches = "client, local-chain, index, docs or server";

test.for([
  ["check", "--zap", "check: --zap: not an option of check; expected --all or --help\n"],
  ["bench", "zap", `bench: unknown command "zap"; expected ${benches}\n`],
  ["bench", "--", `bench: missing command; expected ${benches}\n`],
  ["release-dry-run", "--zap", "release:dry-run: --zap: not an option of release:dry-run; expected --help\n"],
  ["start", "--port=65536", 'start: --port: expected a whole number from 0 to 65535, got "65536"\n'],
] as const)("%s refuses %s in one line", async ([folder, arg, message]) => {
  expect(await run(folder, arg)).toEqual({ status: 2, stdout: "", stderr: message });
});

test.for(["bench", "check", "examples", "release-dry-run", "release", "start"])("%s has a help text", async (folder) => {
  const stdout: unknown = expect.stringMatching(/^Usage: [\s\S]*--help/);
  expect(await run(folder, "--", "--help")).toEqual({ status: 0, stdout, stderr: "" });
});

test("pnpmCommand is the running pnpm, or else the version of package.json", () => {
  expect(pnpmCommand({ npm_execpath: "/opt/pnpm/pnpm.cjs" })).toEqual([process.execPath, "/opt/pnpm/pnpm.cjs"]);
  expect(pnpmCommand({ npm_execpath: "/opt/pnpm/pnpm" })).toEqual(["/opt/pnpm/pnpm"]);
  expect(pnpmCommand({ npm_execpath: "/opt/npm/npm-cli.js" })).toEqual(["npx", "--yes", expect.stringMatching(/^pnpm@\d/)]);
});
