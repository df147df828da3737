import { CommandLineError } from "@chain-query/command-line";
import { describe, expect, test } from "vitest";
import { parseArguments } from "../../src/command/arguments.ts";
import { chainOptions } from "../../src/genesis/options.ts";

describe("parseArguments", () => {
  test("has the defaults of the library for a new chain", () => {
    const parsed = parseArguments(["init", "dir", "--seed", "1"]);
    if (parsed.command !== "init") expect.unreachable();
    expect(chainOptions(parsed.options)).toEqual(chainOptions({ seed: 1 }));
  });

  test("reads every option of a new chain", () => {
    const given = { seed: "18446744073709551615", accounts: "3", shards: "8", rate: "1" };
    const more = {
      "start-time": "1800000000",
      "block-interval": "7",
      "transaction-limit": "9",
      retention: "60",
      resharding: "10",
      "key-blocks": "7",
      validators: "5",
      consensus: "100",
      suspended: "600",
      "shard-blocks": "uneven",
      "burned-fees": "50",
      puppets: "5",
    };
    const flags = Object.entries({ ...given, ...more }).flatMap(([name, value]) => [`--${name}`, value]);
    expect(parseArguments(["init", "dir", ...flags])).toEqual({
      command: "init",
      directory: "dir",
      options: {
        ...{ seed: 2n ** 64n - 1n, accounts: 3, shards: 8, rate: 1, startTime: 1_800_000_000, blockInterval: 7 },
        ...{
          transactionLimit: 9,
          retentionSeconds: 60,
          resharding: 10,
          keyBlocks: 7,
          suspended: 600,
          shardBlocks: "uneven",
          burnedFees: 50,
          puppets: 5,
          validators: 5,
          consensus: 100,
        },
      },
    });
  });

  test("reads the other commands", () => {
    const directory = "dir";
    expect(parseArguments(["run", "dir", "--block-interval", "2", "--rate=3"])).toEqual({
      ...{ command: "run", directory, blockInterval: 2, rate: 3 },
    });
    expect(parseArguments(["run", "dir", "--block-interval", "0.4"])).toMatchObject({ blockInterval: 0.4 });
    expect(parseArguments(["advance", "dir", "12"])).toEqual({ command: "advance", directory, steps: 12 });
    expect(parseArguments(["verify", "dir"])).toEqual({ command: "verify", directory });
    expect(parseArguments(["inspect", "dir"])).toEqual({
      command: "inspect",
      directory,
      target: { of: "chain" },
    });
    expect(parseArguments(["inspect", "dir", "--block", "-1:12"])).toEqual({
      ...{ command: "inspect", directory, target: { of: "block", name: "-1:12" } },
    });
  });

  const seedRange = "expected a whole number from 0 to 18446744073709551615";
  test.each([
    [[], "missing command; expected init, run, advance, inspect or verify"],
    [["make", "dir"], 'unknown command "make dir"; expected init, run, advance, inspect or verify'],
    [["init", "dir"], `--seed: missing; ${seedRange}`],
    [["init", "dir", "--seed", "one"], `--seed: ${seedRange}, got "one"`],
    [
      ["init", "dir", "--seed", "1", "--resharding", "often"],
      '--resharding: expected none, load, or a whole number of steps from 1 to 1000000, got "often"',
    ],
    [
      ["init", "dir", "--seed", "1", "--key-blocks", "load"],
      '--key-blocks: expected none, or a whole number of steps from 1 to 1000000, got "load"',
    ],
    [["init", "dir", "--seed", "1", "--shard-blocks", "two"], '--shard-blocks: expected one or uneven, got "two"'],
    [["init", "dir", "--seed", "18446744073709551616"], `--seed: ${seedRange}`],
    [["init", "dir", "--seed", "1", "--shards", "3"], '--shards: expected 1, 2, 4 or 8, got "3"'],
    [["advance", "dir", "0"], '<n>: expected a whole number from 1 to 1000000000, got "0"'],
    [
      ["run", "dir", "--block-interval", "0"],
      '--block-interval: expected whole seconds from 1 to 86400, or 0.1 to 0.9, got "0"',
    ],
    [["inspect", "dir", "--block", "1", "--account", "x"], "--block and --account exclude each other; expected one of them"],
  ])("refuses %j", (args, problem) => {
    try {
      parseArguments(args);
      expect.unreachable();
    } catch (error) {
      if (!(error instanceof CommandLineError)) throw error;
      expect(error.problems[0]).toContain(problem);
    }
  });

  test("has a help that fits a screen", () => {
    const parsed = parseArguments(["--help"]);
    const lines = "text" in parsed ? parsed.text.split("\n") : [];
    expect(lines.length).toBeLessThanOrEqual(48);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  });
});
