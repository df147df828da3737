import { parseArgs } from "node:util";
import type { Fault } from "./conditions.ts";
import { OptionError } from "./option-error.ts";
import {
  checkFaults,
  checkKeys,
  checkLatency,
  checkShare,
  checkWhole,
  greatestRate,
  greatestSeed,
  type MockOptions,
} from "./options.ts";

/** What the command tells about the requests: nothing, a line for a person, or a line of JSON. */
export type Talk = "quiet" | "lines" | "json";

/** What the command line asks for. */
export type Wish = { kind: "help" } | { kind: "version" } | { kind: "serve"; options: MockOptions; talk: Talk };

/** The text of `--help`. */
export const help = `Usage: chain-query-mock [options]

Answers the Chain Query HTTP API from the examples of its contract, until Ctrl-C.

  --port <0 to 65535>    port to listen on, 0 for any free one (default 4010)
  --host <address>       address to listen on (default 127.0.0.1, this machine only)
  --dynamic              make up an answer where no example is of the request
  --seed <number>        repeat made-up answers and conditions (default 1)
  --latency <ms>         answer later, by 50 or between: 50..200
  --fail <share=status>  fail some requests: 0.05=503; may be given again
  --drop <share>         end some connections without an answer: 0.01
  --rate-limit           one request per second without a key, as documented
  --rate-with-key <n>    the same, and n per second with a key
  --api-keys <a,b>       answer 401 to any other key
  --quiet                print the URL and nothing else
  --json                 print a line of JSON for each request
  --version, --help      print the version, or this

A request can choose its answer: -H 'Prefer: code=429', 'Prefer: example=frozen'
or 'Prefer: dynamic=true'.
`;

const flags = {
  port: { type: "string", default: "4010" },
  host: { type: "string", default: "127.0.0.1" },
  dynamic: { type: "boolean", default: false },
  seed: { type: "string", default: "1" },
  latency: { type: "string", default: "0" },
  fail: { type: "string", multiple: true, default: [] as string[] },
  drop: { type: "string", default: "0" },
  "rate-limit": { type: "boolean", default: false },
  "rate-with-key": { type: "string" },
  "api-keys": { type: "string" },
  quiet: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
  version: { type: "boolean", default: false },
} as const;

/** Reads the arguments of the command; each that makes no sense is an {@link OptionError}. */
export function wishIn(args: string[]): Wish {
  const values = valuesIn(args);
  if (values.help) return { kind: "help" };
  if (values.version) return { kind: "version" };
  if (values.quiet && values.json) throw new OptionError("--quiet and --json contradict each other; one of them is accepted");
  const withKey = values["rate-with-key"];
  const keys = values["api-keys"];
  const options: MockOptions = {
    port: wholeIn("--port", values.port, 0, 65_535),
    host: values.host,
    dynamic: values.dynamic,
    seed: wholeIn("--seed", values.seed, 0, greatestSeed),
    latency: latencyIn(values.latency),
    fail: values.fail.map(faultIn),
    drop: shareIn(values.drop),
    rateLimit: withKey === undefined ? values["rate-limit"] : { withKey: wholeIn("--rate-with-key", withKey, 1, greatestRate) },
    ...(keys === undefined ? {} : { apiKeys: keysIn(keys) }),
    keepRequests: 0,
  };
  checkFaults("--fail", [options.fail ?? []].flat(), values.fail.join(" "));
  return { kind: "serve", options, talk: values.quiet ? "quiet" : values.json ? "json" : "lines" };
}

function valuesIn(args: string[]): ReturnType<typeof parseArgs<{ args: string[]; options: typeof flags }>>["values"] {
  try {
    return parseArgs({ args, options: flags }).values;
  } catch (error) {
    // Node explains at length, over several lines; the first sentence says what is wrong.
    const [what] = error instanceof Error ? error.message.split(/\.\s|\.?\n|\.$/) : [];
    const forms = help.match(/--[\w-]+( <[^>]+>)?/g) ?? [];
    throw new OptionError(`${what}; accepted are ${forms.join(", ")}`);
  }
}

/** Digits only: `Number` alone would take an empty text for 0. */
function numberIn(text: string): number {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}

function wholeIn(flag: string, text: string, least: number, most: number): number {
  const value = numberIn(text);
  checkWhole(flag, value, least, most, text);
  return value;
}

function latencyIn(text: string): readonly [number, number] {
  const [least = "", most = least, ...more] = text.split("..");
  const latency = [numberIn(least), more.length > 0 ? Number.NaN : numberIn(most)] as const;
  checkLatency("--latency", latency, text);
  return latency;
}

function faultIn(text: string): Fault {
  const [rate = "", status = "", ...more] = text.split("=");
  const fault = { rate: numberIn(rate), status: more.length > 0 ? Number.NaN : numberIn(status) };
  checkFaults("--fail", [fault], text);
  return fault;
}

function shareIn(text: string): number {
  const share = numberIn(text);
  checkShare("--drop", share, text);
  return share;
}

function keysIn(text: string): string[] {
  const keys = text.split(",");
  checkKeys("--api-keys", keys, text);
  return keys;
}
