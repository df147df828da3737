import { parseArgs } from "node:util";
import { rawAddressOf } from "./address.ts";
import { operationIds } from "./body/judge-body.ts";
import type { Profile } from "./checks/suite.ts";
import { isReportForm, type ReportFile, reportForms } from "./report/files.ts";
import { BaseUrlError, parseBaseUrl } from "./service/base-url.ts";

/** What the command line asks for. */
export type Wish =
  | { readonly kind: "help" }
  | { readonly kind: "version" }
  | { readonly kind: "bodies"; readonly folder: string; readonly json: boolean; readonly reports: readonly ReportFile[] }
  | ServiceWish;

/** A service is to be judged. */
export interface ServiceWish {
  readonly kind: "service";
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly profile: Profile;
  readonly only: readonly string[];
  readonly seed?: number;
  readonly requestsPerSecond?: number;
  readonly checkLimits: boolean;
  readonly fuzz?: number;
  readonly accounts: readonly string[];
  readonly timeout?: number;
  readonly reports: readonly ReportFile[];
}

/** Thrown where the command line makes no sense; the message is the one line to print. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The text of `--help`. */
export const help = `Usage: chain-query-conformance <baseUrl> [options]
       chain-query-conformance bodies <folder> [--json] [--report ...]

Judges a running service, or recorded response bodies, against the Chain Query contract.

  --profile examples|live    every documented request (the default), or what only a consistent service satisfies
  --api-key <key>            sent as X-API-Key; the variable CHAIN_API_KEY is read where this is left out
  --only <operation,...>     only checks of these operations
  --account <address>        an account for --profile live to begin with; may be repeated
  --requests-per-second <n>  0 for as fast as it answers (default 0 for this machine, 1 without a key, 10 with one)
  --timeout <seconds>        for one answer (default 30)
  --fuzz <n>                 how many valid and how many broken requests to make up (default 25)
  --seed <n>                 repeats what was random in an earlier run
  --check-limits             try the limit without a key, and a key that nobody was given
  --report <form>=<file>     write a report, where form is junit, json or html; may be repeated
  --json                     with bodies: print one JSON document in place of the table
  --version, --help

Exit code: 0 all passed, 1 something failed, 2 nothing failed, but nothing could be judged, or not all of it.
`;

const options = {
  "api-key": { type: "string" },
  profile: { type: "string" },
  only: { type: "string", multiple: true, default: [] as string[] },
  account: { type: "string", multiple: true, default: [] as string[] },
  "requests-per-second": { type: "string" },
  timeout: { type: "string" },
  fuzz: { type: "string" },
  seed: { type: "string" },
  "check-limits": { type: "boolean", default: false },
  report: { type: "string", multiple: true, default: [] as string[] },
  json: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
  version: { type: "boolean", default: false },
} as const;

const forServices = [
  "api-key",
  "profile",
  "only",
  "account",
  "requests-per-second",
  "timeout",
  "fuzz",
  "seed",
  "check-limits",
] as const;

/** Reads the arguments of the command, and the key from the environment where they have none. */
export function wishIn(args: string[], environment: Readonly<Record<string, string | undefined>> = {}): Wish {
  const { values, positionals } = parsed(args);
  if (values.help) return { kind: "help" };
  if (values.version) return { kind: "version" };
  const reports = values.report.map(reportFileIn);
  const [first, ...others] = positionals;
  if (first === undefined) throw new UsageError("nothing to judge was given; accepted is: <baseUrl>, or bodies <folder>");
  if (first === "bodies") {
    const misplaced = forServices.find((name) => isGiven(values[name]));
    if (misplaced !== undefined)
      throw new UsageError(`--${misplaced} goes with a service; with bodies accepted are --json and --report`);
    return { kind: "bodies", folder: folderIn(others), json: values.json, reports };
  }
  const baseUrl = serviceIn(first);
  if (others.length > 0) throw new UsageError(`one base URL is judged at a time, ${others.length + 1} were given`);
  if (values.json) throw new UsageError("--json goes with bodies; for a service --report json=<file> is accepted");
  const apiKey = values["api-key"] ?? (environment["CHAIN_API_KEY"] || undefined);
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    throw new UsageError("the API key is empty or has characters that no header can carry");
  const profile = profileIn(values.profile ?? "examples");
  if (profile === "examples" && values.account.length > 0)
    throw new UsageError("--account goes with --profile live; the examples name their own accounts");
  return {
    kind: "service",
    baseUrl,
    profile,
    only: values.only.flatMap((list) => list.split(",")).map(operationIn),
    accounts: values.account.map(accountIn),
    checkLimits: values["check-limits"],
    reports,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...numberIn("seed", values.seed, { integer: true, most: 2 ** 31 - 1 }),
    ...numberIn("fuzz", values.fuzz, { integer: true, most: 1_000_000 }),
    ...renamed(
      "requestsPerSecond",
      numberIn("requests-per-second", values["requests-per-second"], { integer: false, most: 100_000 }),
    ),
    ...renamed("timeout", numberIn("timeout", values.timeout, { integer: false, least: 0.001, most: 3600 }), 1000),
  };
}

function parsed(
  args: string[],
): ReturnType<typeof parseArgs<{ args: string[]; allowPositionals: true; options: typeof options }>> {
  try {
    return parseArgs({ args: joined(args), allowPositionals: true, options });
  } catch (error) {
    // Node explains at length; the first sentence says what is wrong.
    const [what] = error instanceof Error ? error.message.split(/\.\s|\.?\n|\.$/) : [];
    throw new UsageError(
      `${what}; accepted are <baseUrl> or bodies <folder>, and ${Object.keys(options)
        .map((name) => `--${name}`)
        .join(", ")}`,
    );
  }
}

/** What begins like a negative number is the value of the option before, as the raw form of an address may, and no option. */
function joined(args: readonly string[]): string[] {
  const isNegative = (index: number): boolean =>
    /^-[\d.]/.test(args[index] ?? "") && maybeNegative.includes(args[index - 1] ?? "");
  return args.flatMap((arg, index) => {
    if (isNegative(index)) return [];
    return isNegative(index + 1) ? [`${arg}=${args[index + 1]}`] : [arg];
  });
}

const maybeNegative = ["--account", "--seed", "--fuzz", "--timeout", "--requests-per-second"];

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}

function serviceIn(text: string): string {
  try {
    return parseBaseUrl(text);
  } catch (error) {
    if (error instanceof BaseUrlError) throw new UsageError(`${error.message}, or bodies <folder>`);
    throw error;
  }
}

function accountIn(text: string): string {
  if (rawAddressOf(text) !== undefined) return text;
  throw new UsageError(
    `--account ${JSON.stringify(text)} is no address; accepted are the raw form, as -1:5555…, and the user-friendly one of 48 characters`,
  );
}

function folderIn(folders: readonly string[]): string {
  const [folder, ...more] = folders;
  if (folder === undefined || folder === "") throw new UsageError("bodies takes one folder of recorded bodies, none was given");
  if (more.length > 0) throw new UsageError(`bodies takes one folder of recorded bodies, ${more.length + 1} were given`);
  return folder;
}

function reportFileIn(text: string): ReportFile {
  const [form = "", ...rest] = text.split("=");
  const file = rest.join("=");
  if (isReportForm(form) && file !== "") return { form, file };
  throw new UsageError(
    `--report ${JSON.stringify(text)} is no report; accepted is <form>=<file>, where form is ${reportForms.join(", ")}`,
  );
}

function profileIn(text: string): Profile {
  if (text === "examples" || text === "live") return text;
  throw new UsageError(`--profile ${JSON.stringify(text)} is no profile; accepted are examples and live`);
}

function operationIn(text: string): string {
  if (operationIds.includes(text)) return text;
  throw new UsageError(`--only ${JSON.stringify(text)} is no operation; accepted are ${operationIds.join(", ")}`);
}

function numberIn<Name extends string>(
  name: Name,
  text: string | undefined,
  { integer, least = 0, most }: { integer: boolean; least?: number; most: number },
): { [Key in Name]?: number } {
  if (text === undefined) return {};
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most && (!integer || Number.isInteger(number)))
    return { [name]: number } as { [Key in Name]: number };
  throw new UsageError(
    `--${name} ${JSON.stringify(text)} is not accepted; a ${integer ? "whole number" : "number"} from ${least} to ${most} is`,
  );
}

function renamed<Name extends string>(
  name: Name,
  values: Readonly<Record<string, number>>,
  factor = 1,
): { [Key in Name]?: number } {
  const [number] = Object.values(values);
  return number === undefined ? {} : ({ [name]: number * factor } as { [Key in Name]: number });
}
