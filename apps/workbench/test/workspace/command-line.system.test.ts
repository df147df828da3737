import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

function run(folder: string, ...args: string[]) {
  const program = fileURLToPath(new URL(`../../src/${folder}/command.ts`, import.meta.url));
  return spawnSync(process.execPath, [program, ...args], { encoding: "utf8" });
}

const benches = "client, pipeline, mock, local-chain, index, lite, docs, server, scale-out, redis or soak";

test.for([
  ["test", "zap", 'test: unexpected argument "zap"; usage: test, or test unit, or test system\n'],
  ["check", "--zap", "check: --zap: not an option of check; expected --all or --help\n"],
  ["bench", "zap", `bench: unknown command "zap"; expected ${benches}\n`],
  ["bench", "--", `bench: missing command; expected ${benches}\n`],
  [
    "plan",
    "--loads=10:2",
    'plan: --loads: expected requests per second with a hit rate, such as 10000:0.5,100000:0.7, got "10:2"\n',
  ],
  ["rehearsal", "--zap", "rehearse: --zap: not an option of rehearse; expected --help\n"],
  ["start", "--port=65536", 'start: --port: expected a whole number from 0 to 65535, got "65536"\n'],
  ["versions", "--pre=2", 'version: --pre: expected lower-case letters and hyphens, such as next, got "2"\n'],
] as const)("%s refuses %s in one line", ([folder, arg, message]) => {
  const { status, stderr } = run(folder, arg);
  expect({ status, stderr }).toEqual({ status: 2, stderr: message });
});

test.for(["bench", "check", "examples", "plan", "rehearsal", "release", "start", "test", "versions"])(
  "%s has a help text",
  (folder) => {
    const { status, stdout } = run(folder, "--", "--help");
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^Usage: [\s\S]*--help/) });
  },
);
