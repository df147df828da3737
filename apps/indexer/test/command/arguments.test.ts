import { CommandLineError } from "@chain-query/command-line";
import { describe, expect, test } from "vitest";
import { parseArguments } from "../../src/command/arguments.ts";

const url = "postgres://indexer@localhost/chain";
const secretUrl = "postgres://indexer:pencil@localhost/chain";
const environment = { CHAIN_QUERY_POSTGRES: secretUrl };

/** Of a command line without quotes. */
const parse = (line: string, env: Readonly<Record<string, string>> = environment) => parseArguments(line.split(" "), env);

function problems(line: string, env: Readonly<Record<string, string>> = environment): readonly string[] {
  try {
    parse(line, env);
  } catch (error) {
    if (error instanceof CommandLineError) return error.problems;
    throw error;
  }
  return [];
}

describe("run", () => {
  test("reads a chain in a folder", () => {
    expect(parse(`run --postgres ${url} --from-chain /chain`, {})).toEqual({
      ...{ command: "run", postgres: url, source: { chain: "/chain" }, batch: 20, lease: 20 },
    });
  });

  test("reads lite servers, with all options", () => {
    const key = Buffer.alloc(32, 7).toString("base64");
    const lite = `--from-lite-servers /global.json --lite-archival /old.json --lite-rate 9 --lite-anchor /anchor.json --lite-head-from ${key}`;
    const line = `run ${lite} --batch 3 --lease 1m --admin-address [::1]:0`;
    expect(parse(line, { ...environment, STATE_DIRECTORY: "/state" })).toEqual({
      ...{ command: "run", postgres: secretUrl, batch: 3, lease: 60, adminAddress: { host: "::1", port: 0 } },
      source: {
        ...{ servers: "/global.json", archival: "/old.json", rate: 9, anchor: "/anchor.json" },
        ...{ headFrom: new Uint8Array(32).fill(7), state: "/state" },
      },
    });
  });

  test("takes options from the environment; a chain there is replaced by lite servers", () => {
    const admin = { CHAIN_QUERY_INDEXER_ADMIN_ADDRESS: "127.0.0.1:9000" };
    const env = { ...environment, ...admin, CHAIN_QUERY_INDEXER_FROM_CHAIN: "/chain" };
    const adminAddress = { host: "127.0.0.1", port: 9_000 };
    expect(parse("run", env)).toMatchObject({ source: { chain: "/chain" }, adminAddress });
    expect(parse("run --from-lite-servers /g.json", env)).toMatchObject({ source: { servers: "/g.json" } });
  });
});

describe("other commands", () => {
  test("take the first database of a list, as in the variable of the server", () => {
    const env = { CHAIN_QUERY_POSTGRES: `${secretUrl},${url}` };
    expect(parse("migrate", env)).toEqual({ command: "migrate", postgres: secretUrl });
  });

  test.each([
    ["migrate", { command: "migrate" }],
    ["verify", { command: "verify" }],
    ["verify --from 7", { command: "verify", from: 7 }],
    ["status --json", { command: "status", json: true }],
    ["drop --before 90d", { command: "drop", before: { seconds: 7_776_000 }, dryRun: false }],
    ["drop --before 7 --dry-run", { command: "drop", before: { step: 7 }, dryRun: true }],
    ["drop --after 0", { command: "drop", after: 0, dryRun: false }],
  ])("%s", (line, command) => {
    expect(parse(line)).toEqual({ ...command, postgres: secretUrl });
  });

  test("run takes the steps of a partition from a variable, which backfill leaves out", () => {
    const env = { ...environment, CHAIN_QUERY_INDEXER_PARTITION_STEPS: "1000" };
    expect(parse("run --from-chain /chain", env)).toMatchObject({ partitionSteps: 1_000 });
    expect(parse("backfill --from-chain /chain --back-to 7", env)).toEqual({
      ...{ command: "backfill", postgres: secretUrl, source: { chain: "/chain" }, batch: 20, backTo: { step: 7 } },
    });
  });
});

const pastStep = "a step such as 64000000, or a duration before the newest step such as 30d";
const forLite = "is for lite servers; expected --from-lite-servers too";

describe("parseArguments refuses", () => {
  test.each([
    ["run", "--from-chain, --from-lite-servers: expected one of them, got neither"],
    ["run --from-chain a --start soon", `--start: expected newest, ${pastStep}, got "soon"`],
    ["backfill --from-chain a --back-to newest", `--back-to: expected ${pastStep}, got "newest"`],
    ["backfill --from-chain a", `--back-to: missing; expected ${pastStep}`],
    ["run --from-chain a --from-lite-servers b", "--from-chain, --from-lite-servers: expected one of them, got both"],
    [`run --from-chain a --lite-head-from ${Buffer.alloc(32).toString("base64")}`, `--lite-head-from: ${forLite}`],
    ["run --from-chain a --lite-archival b", `--lite-archival: ${forLite}`],
    ["run --from-chain a --lease 99999999d", "--lease: expected at most 1h, got 8639999913600s"],
    ["drop", "--before, --after: missing; expected one of them"],
    ["drop --after 7 --before 9d", "--after: expected no --before or --dry-run with it"],
    ["drop --after 7 --before 9", "--after: expected no --before or --dry-run with it"],
    ["drop --after 7 --dry-run", "--after: expected no --before or --dry-run with it"],
    ["run --from-chain a --partition-steps 0", '--partition-steps: expected a whole number from 1 to 2147483647, got "0"'],
    ["run --from-chain a --batch 0", '--batch: expected a whole number from 1 to 1000, got "0"'],
  ])("%s", (line, problem) => {
    expect(problems(line)).toEqual([problem]);
  });

  test("no command", () => {
    const message = "missing command; expected migrate, run, backfill, drop, verify or status";
    expect(() => parseArguments([], environment)).toThrow(new CommandLineError([message]));
  });

  test("a missing database", () => {
    expect(problems("migrate", {})).toEqual(["--postgres: missing; expected it or CHAIN_QUERY_POSTGRES"]);
  });

  test("a password in an argument, without showing it", () => {
    expect(problems(`migrate --postgres ${secretUrl}`)).toEqual([
      "--postgres: a password in an argument is not secret; expected it in the environment variable of the option, PGPASSWORD or PGPASSFILE",
    ]);
  });
});

test.each(["--help", "run --help"])("%s prints a help that fits a screen", (line) => {
  const parsed = parse(line, {});
  const lines = parsed.command === "print" ? parsed.text.trimEnd().split("\n") : [];
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.length).toBeLessThanOrEqual(48);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
});
