import { describe, expect, expectTypeOf, test } from "vitest";
import {
  CommandLineError,
  duration,
  helpText,
  list,
  matching,
  number,
  oneOf,
  type Parsed,
  type Program,
  parseCommandLine,
  serverUrl,
  text,
  wholeNumber,
} from "../src/index.ts";

const folder = text("<folder>", "a folder");
const shared = { keys: { type: folder, environment: "CHAIN_KEYS", help: "folder of the keys" } } as const;
const program = {
  name: "chain",
  manifest: new URL("../package.json", import.meta.url),
  notes: "Exit code: 0 done.",
  commands: {
    "": {
      summary: "Serves a chain.",
      environmentPrefix: "CHAIN_",
      readConfig: (file: string): unknown => {
        if (file === "missing") throw new Error("ENOENT\nat line 1");
        return JSON.parse(file);
      },
      flags: {
        port: { type: wholeNumber(0, 65_535), default: "8080", help: "port" },
        blockInterval: { type: duration, default: "5s", help: "time between blocks" },
        rate: { type: number(0, 10), help: "requests per second" },
        level: { type: oneOf("<level>", ["info", "warn"]), help: "log level" },
        hosts: { type: list("<list>", matching("", /^\w+$/, ""), "names separated by commas"), help: "hosts" },
        fail: { type: text("<share>", "a share"), repeatable: true, help: "failures" },
        apiKey: { type: matching("<key>", /^\w+$/, "word characters"), secret: true, environment: "API_KEY", help: "key" },
        verbose: { help: "log more" },
        ...shared,
      },
    },
    advance: {
      summary: "makes blocks",
      arguments: { directory: folder, blocks: wholeNumber(1, 100, "<blocks>") },
      flags: { seed: { type: wholeNumber(0, 9), required: true, help: "seed" } },
    },
    host: {
      summary: "reads a host",
      arguments: {
        host: {
          placeholder: "<host>",
          accepted: "a host",
          parse: (): string => {
            throw new CommandLineError(["has a password"]);
          },
        },
      },
      flags: {},
    },
    "keys add": { summary: "adds a key", arguments: { owner: text("<owner>", "a name") }, flags: shared },
    "keys list": { summary: "lists keys", flags: shared },
  },
} as const satisfies Program;

const parse = (args: string, environment = {}): Parsed<typeof program> => {
  return parseCommandLine(program, args.split(" ").filter(Boolean), environment);
};

function problems(args: readonly string[], environment = {}): readonly string[] {
  try {
    parseCommandLine(program, args, environment);
  } catch (error) {
    if (error instanceof CommandLineError) return error.problems;
    throw error;
  }
  return [];
}

describe("values", () => {
  test("are defaults without options, and absent where an option has none", () => {
    expect(parse("")).toEqual({ command: "", port: 8080, blockInterval: 5, fail: [], verbose: false });
  });

  test("have the types of their kinds", () => {
    const args = "--port 1 --block-interval 2m --rate 0.5 --level warn --hosts a,b --fail x --fail=y --verbose --keys k";
    const parsed = parse(args);
    expect(parsed).toEqual({
      ...{ command: "", port: 1, blockInterval: 120, rate: 0.5, level: "warn", hosts: ["a", "b"], fail: ["x", "y"] },
      ...{ verbose: true, keys: "k" },
    });
    if (parsed.command !== "") expect.unreachable();
    expectTypeOf(parsed.port).toEqualTypeOf<number>();
    expectTypeOf(parsed.rate).toEqualTypeOf<number | undefined>();
    expectTypeOf(parsed.level).toEqualTypeOf<"info" | "warn" | undefined>();
    expectTypeOf(parsed.hosts).toEqualTypeOf<readonly string[] | undefined>();
    expectTypeOf(parsed.fail).toEqualTypeOf<readonly string[]>();
    expectTypeOf(parsed.verbose).toEqualTypeOf<boolean>();
  });

  test("come from options before the environment, from there before the file, from there before defaults", () => {
    const environment = {
      CHAIN_PORT: "2",
      CHAIN_BLOCK_INTERVAL: "20",
      API_KEY: "k",
      CHAIN_CONFIG: '{"port":3,"rate":3,"block-interval":30,"hosts":["a","b"],"verbose":true}',
    };
    expect(parse("--port 1", environment)).toMatchObject({
      ...{ port: 1, blockInterval: 20, rate: 3, hosts: ["a", "b"], verbose: true, apiKey: "k" },
    });
    expect(parse("--config {}", environment)).toMatchObject({ port: 2, verbose: false });
    expect(parse("--config null")).toMatchObject({ port: 8080 });
  });

  test("hide options of later sources only", () => {
    const type = text("<text>", "a text");
    const flags = { folder: { type, help: "", hides: ["url"] }, url: { type, help: "", hides: ["folder"] } };
    const readConfig = (file: string): unknown => JSON.parse(file);
    const { name, manifest } = program;
    const either = { name, manifest, commands: { "": { summary: "", environmentPrefix: "P_", readConfig, flags } } };
    expect(parseCommandLine(either, ["--url", "u"], { P_FOLDER: "f" })).toEqual({ command: "", url: "u" });
    expect(parseCommandLine(either, [], { P_FOLDER: "f", P_CONFIG: '{"url":"u"}' })).toEqual({ command: "", folder: "f" });
    expect(parseCommandLine(either, [], { P_FOLDER: "f", P_URL: "u" })).toEqual({ command: "", folder: "f", url: "u" });
  });

  test("may begin with a minus", () => {
    expect(parse("--fail -1:12")).toMatchObject({ fail: ["-1:12"] });
  });
});

describe("commands", () => {
  test("are found by one word or two, before or after options", () => {
    expect(parse("advance --seed 1 dir 5")).toEqual({ command: "advance", directory: "dir", blocks: 5, seed: 1 });
    expect(parse("--keys k keys add alice")).toEqual({ command: "keys add", owner: "alice", keys: "k" });
    const parsed = parse("keys list", { CHAIN_KEYS: "k", CHAIN_CONFIG: "missing" });
    expect(parsed).toEqual({ command: "keys list", keys: "k" });
    if (parsed.command === "advance") expectTypeOf(parsed.blocks).toEqualTypeOf<number>();
  });

  test.each([
    [["keys"], 'unknown command "keys"; expected keys add or keys list'],
    [["keys", "forge"], 'unknown command "keys forge"; expected keys add or keys list'],
    [["advance", "--seed", "1"], "<folder>: missing; usage: chain advance <folder> <blocks> --seed <n>"],
    [["advance", "d", "0", "--seed", "1"], '<blocks>: expected a whole number from 1 to 100, got "0"'],
    [["advance", "d", "1"], "--seed: missing; expected a whole number from 0 to 9"],
    [["keys", "list", "all"], 'unexpected argument "all"; usage: chain keys list [options]'],
    [["keys", "list", "--port", "1"], "--port: not an option of chain keys list; expected --keys or --help"],
    [["host", "secret"], "<host>: has a password"],
    [["serve"], 'unexpected argument "serve"; usage: chain [options], or chain advance'],
  ])("refuse %j", (args, problem) => {
    expect(problems(args)[0]).toContain(problem);
  });

  test("without an unnamed one, one is required", () => {
    const { "": _, ...commands } = program.commands;
    expect(() => parseCommandLine({ ...program, commands }, [])).toThrow(
      "missing command; expected advance, host, keys add or keys list",
    );
  });
});

describe("problems", () => {
  test("are reported together, with their place", () => {
    const environment = { CHAIN_RATE: "-1", CHAIN_LEVEL: "loud" };
    const config = '{"prot":1,"block-interval":"soon","hosts":[[1]],"verbose":"maybe"}';
    const args = ["--config", config, "--port", "66000", "--verbose=1", "--fail", "--keys"];
    expect(problems(args, environment)).toEqual([
      "--verbose: takes no value",
      `${config}: prot: not an option; expected port, block-interval, rate, level, hosts, fail, api-key, verbose or keys`,
      `${config}: hosts: expected a text, a number, true or false, or a list of these`,
      '--port: expected a whole number from 0 to 65535, got "66000"',
      `${config}: block-interval: expected a time of at least a second, such as 90, 30m, 48h or 2d, got "soon"`,
      'CHAIN_RATE: expected a number from 0 to 10, got "-1"',
      'CHAIN_LEVEL: expected info or warn, got "loud"',
      "--fail: missing value; expected a share",
      `${config}: verbose: expected true or false, got "maybe"`,
    ]);
  });

  test.each([
    [["--port", "1", "--port", "2"], "--port: given twice; expected once"],
    [["--port"], "--port: missing value; expected a whole number from 0 to 65535"],
    [["--port", ""], '--port: expected a whole number from 0 to 65535, got ""'],
    [["--port", "0x10"], '--port: expected a whole number from 0 to 65535, got "0x10"'],
    [["--port", "-1"], '--port: expected a whole number from 0 to 65535, got "-1"'],
    [["--hosts", "a,,b"], '--hosts: expected names separated by commas, got "a,,b"'],
    [["--help=yes"], "--help: takes no value"],
    [["--port", "--verbose"], "--port: missing value; expected a whole number from 0 to 65535"],
    [["--config", "missing"], "missing: cannot be read: ENOENT"],
    [["--config", "[]"], "[]: expected a mapping of options to values"],
    [["--config="], '--config: expected a file, got ""'],
    [["-pq", "1"], "-p: not an option of chain; expected --port, --block-interval"],
    [["--prot", "1"], "--prot: not an option of chain; expected --port, --block-interval"],
  ])("%j is one line", (args, problem) => {
    const [line, ...others] = problems(args);
    expect(line).toContain(problem);
    expect(others).toEqual([]);
  });

  test.each([
    [["--api-key", "se cret"]],
    [["--api-key=se cret"]],
    [["--api-ky", "secret"]],
    [["--api-ky=secret"]],
    [["--api-key", "a", "secret"]],
  ])("of %j do not show the secret", (args) => {
    expect(problems(args)).toHaveLength(1);
    expect(problems(args).join()).not.toContain("cret");
  });
});

describe("the URL of a server", () => {
  const database = {
    type: serverUrl(["postgres", "postgresql"], ["PGPASSWORD", "PGPASSFILE"]),
    secret: true,
    help: "",
  } as const;
  const withDatabase = {
    name: "read",
    manifest: program.manifest,
    commands: { "": { summary: "", environmentPrefix: "READ_", flags: { database } } },
  } as const satisfies Program;

  test.each([
    "postgres://host/name",
    "postgresql://user@host:5432/name?sslmode=require",
    "postgres:///name?host=/run/postgresql",
    "postgres://[::1]:5432/name",
  ])("is accepted as an argument: %s", (url) => {
    expect(parseCommandLine(withDatabase, ["--database", url])).toEqual({ command: "", database: url });
  });

  const withPassword = ["postgres://user:pencil@host/name", "postgres://:pencil@host", "postgres://host/name?password=pencil"];

  test.each(withPassword)("may have a password in the environment only: %s", (url) => {
    expect(parseCommandLine(withDatabase, [], { READ_DATABASE: url })).toEqual({ command: "", database: url });
    expect(() => parseCommandLine(withDatabase, ["--database", url])).toThrow(
      new CommandLineError([
        "--database: a password in an argument is not secret; expected it in the environment variable of the option, PGPASSWORD or PGPASSFILE",
      ]),
    );
  });

  test.each([
    "",
    "host",
    "http://host",
    "postgres://one,two/name",
    "postgres://host:port",
    "postgres://user:pen@cil@host/name",
  ])("is not %j", (url) => {
    expect(() => parseCommandLine(withDatabase, ["--database", url])).toThrow(
      new CommandLineError(["--database: expected a URL such as postgres://host:port/name"]),
    );
  });
});

describe("help", () => {
  test("shows every command and option once", () => {
    expect(helpText(program)).toBe(`Usage: chain [options]
       chain advance <folder> <blocks> --seed <n>
       chain host <host>
       chain keys add <owner> [options]
       chain keys list [options]

Serves a chain.

  --port <n>               port (default 8080)
  --block-interval <time>  time between blocks (default 5s)
  --rate <n>               requests per second
  --level <level>          log level
  --hosts <list>           hosts
  --fail <share>           failures
  --api-key <key>          key
  --verbose                log more
  --keys <folder>          folder of the keys
  --config <file>          read options from a file

advance: makes blocks
  --seed <n>               seed

host: reads a host

keys add: adds a key

keys list: lists keys
  --help, --version

Exit code: 0 done.
`);
  });

  test("of a command shows only that command", () => {
    const parsed = parse("keys add --help");
    if (parsed.command !== "print") expect.unreachable();
    expect(parsed.text).toContain("keys list: lists keys");
    expect(parsed.text).not.toContain("--port");
  });

  test("and the version take precedence over everything else", () => {
    expect(parse("serve --prot --help")).toMatchObject({ command: "print" });
    expect(parse("--version")).toMatchObject({ command: "print", text: expect.stringMatching(/^\d+\.\d+\.\d+.*\n$/) });
  });
});
