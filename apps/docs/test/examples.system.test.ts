/** The programs in `examples/` that print, run against the mock. Long tests have the others. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { address, environmentOf, mistyped, shownOutput, useExamples } from "./example-programs.ts";
import { run } from "./programs.ts";

const used = useExamples();

describe("the explorer", () => {
  test("prints the output of the guide", async () => {
    const { stdout } = await run(process.execPath, [used.at("explorer/explorer.ts"), address], {
      env: environmentOf(used.mock),
    });
    expect(stdout).toBe(shownOutput("explorer/explorer.ts"));
  });

  test("names the problem with an address in one line, and exits with 2", async () => {
    const failed = await run(process.execPath, [used.at("explorer/explorer.ts"), mistyped], {
      env: environmentOf(used.mock),
    }).catch((error) => error);
    expect(failed).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/^explorer: .*checksum.*\n$/) });
  });
});

describe("balances", () => {
  const other = "EQCzs-U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd-Yz";
  const shown = shownOutput("balances/balances.ts");

  test("prints the output of the guide, of arguments", async () => {
    const { stdout } = await run(process.execPath, [used.at("balances/balances.ts"), address, other], {
      env: environmentOf(used.mock),
    });
    expect(stdout).toBe(shown);
  });

  test("reads lines, and goes on after one that is no address", async () => {
    const program = spawn(process.execPath, [used.at("balances/balances.ts")], { env: environmentOf(used.mock) });
    program.stdin.end([address, mistyped, other, ""].join("\n"));
    const [stdout, stderr, [code]] = await Promise.all([text(program.stdout), text(program.stderr), once(program, "close")]);
    expect(stdout).toBe(shown);
    expect(stderr).toMatch(/^balances: .*checksum.*\n$/);
    expect(code).toBe(1);
  });
});
