/** Parses the command line of chain-query-mock. */
import {
  CommandLineError,
  list,
  type Printed,
  type Program,
  parseCommandLine,
  text,
  type ValueType,
  wholeNumber,
} from "@chain-query/command-line";
import type { Fault } from "../conditions.ts";
import { type MockOptions, ranges, rules, shareSum } from "../options.ts";

/** Output for each request: none, a line of text or a line of JSON. */
export type Output = "quiet" | "lines" | "json";

/** The parsed command. */
export interface ServeCommand {
  readonly options: MockOptions;
  readonly output: Output;
}

const latency: ValueType<readonly [number, number]> = {
  placeholder: "<ms>",
  accepted: rules.latency.accepted,
  parse: (value) => {
    const [least = "", most = least, ...more] = value.split("..");
    const range = [decimal(least), decimal(most)] as const;
    return more.length === 0 && rules.latency.isValid(range) ? range : undefined;
  },
};

const fault: ValueType<Fault> = {
  placeholder: "<share=status>",
  accepted: rules.fault.accepted,
  parse: (value) => {
    const [rate = "", status = "", ...more] = value.split("=");
    const parsed = { rate: decimal(rate), status: decimal(status) };
    return more.length === 0 && rules.fault.isValid(parsed) ? parsed : undefined;
  },
};

const share: ValueType<number> = {
  placeholder: "<share>",
  accepted: rules.share.accepted,
  parse: (value) => (rules.share.isValid(decimal(value)) ? decimal(value) : undefined),
};

const key: ValueType<string> = {
  placeholder: "<key>",
  accepted: rules.key.accepted,
  parse: (value) => (rules.key.isValid(value) ? value : undefined),
};

/** Stricter than `Number`, which parses an empty text as 0. */
function decimal(value: string): number {
  return /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
}

const program = {
  name: "chain-query-mock",
  manifest: new URL("../../package.json", import.meta.url),
  commands: {
    "": {
      summary: "Answers the Chain Query HTTP API from the examples of its contract.",
      flags: {
        port: { type: wholeNumber(0, 65_535), default: "4010", help: "port, 0 for any free one" },
        host: { type: text("<address>", "an address"), default: "127.0.0.1", help: "address" },
        dynamic: { help: "generate responses to requests without an example" },
        seed: { type: wholeNumber(...ranges.seed), default: "1", help: "repeats generated responses and conditions" },
        latency: { type: latency, default: "0", help: "delay of responses: 50, or 50..200" },
        fail: { type: fault, repeatable: true, help: "fail some requests, such as 0.05=503" },
        drop: { type: share, default: "0", help: "close some connections without a response" },
        rateLimit: { help: "one request per second without a key" },
        rateWithKey: { type: wholeNumber(...ranges.rate), help: "the same, and this many per second with a key" },
        apiKeys: { type: list("<a,b>", key, rules.keys.accepted), secret: true, help: "answer 401 to other keys" },
        contractOnly: { help: "no JSON-RPC, no other methods, no key in URLs" },
        quiet: { help: "print the URL and nothing else" },
        json: { help: "print a line of JSON for each request" },
      },
    },
  },
  notes: "A request can choose its response with a header: Prefer: code=429,\nPrefer: example=frozen or Prefer: dynamic=true.",
} as const satisfies Program;

/**
 * Parses the arguments of the command.
 *
 * @throws CommandLineError with one line for each problem.
 */
export function parseArguments(args: readonly string[]): ServeCommand | Printed {
  const parsed = parseCommandLine(program, args);
  if (parsed.command === "print") return parsed;
  const { command, quiet, json, rateLimit, rateWithKey, ...options } = parsed;
  if (quiet && json) throw new CommandLineError(["--quiet and --json exclude each other; expected one of them"]);
  if (!rules.faults.isValid(options.fail)) {
    throw new CommandLineError([`--fail: expected ${rules.faults.accepted}, got ${shareSum(options.fail)}`]);
  }
  return {
    options: { ...options, rateLimit: rateWithKey === undefined ? rateLimit : { withKey: rateWithKey }, keepRequests: 0 },
    output: quiet ? "quiet" : json ? "json" : "lines",
  };
}
