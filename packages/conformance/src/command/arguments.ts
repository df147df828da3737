import {
  CommandLineError,
  list,
  matching,
  number,
  oneOf,
  type Printed,
  type Program,
  parseCommandLine,
  text,
  type ValueType,
  wholeNumber,
} from "@chain-query/command-line";
import { operations } from "@chain-query/openapi/operations";
import { rawAddressOf } from "../address.ts";
import { isReportForm, type ReportFile, reportForms } from "../report/files.ts";
import { parseBaseUrl } from "../service/http.ts";
import type { ServiceOptions } from "../service/validate-service.ts";

/** Validates a folder of recorded response bodies. */
export interface BodiesCommand {
  readonly command: "bodies";
  readonly folder: string;
  readonly json: boolean;
  readonly reports: readonly ReportFile[];
}

/** Validates a running service. */
export interface ServiceCommand {
  readonly command: "service";
  readonly options: ServiceOptions;
  readonly reports: readonly ReportFile[];
}

const baseUrl: ValueType<string> = {
  placeholder: "<baseUrl>",
  accepted: "http:// or https://, a host and an optional path",
  parse: (value) => {
    try {
      return parseBaseUrl(value);
    } catch (error) {
      if (error instanceof RangeError) throw new CommandLineError([error.message]);
      throw error;
    }
  },
};

const address: ValueType<string> = {
  placeholder: "<address>",
  accepted: "an address in raw form, such as -1:5555…, or in user-friendly form",
  parse: (value) => (rawAddressOf(value) === undefined ? undefined : value),
};

const reportFile: ValueType<ReportFile> = {
  placeholder: "<form>=<file>",
  accepted: `<form>=<file>, where form is ${reportForms.join(", ")}`,
  parse: (value) => {
    const [form = "", ...rest] = value.split("=");
    const file = rest.join("=");
    return isReportForm(form) && file !== "" ? { form, file } : undefined;
  },
};

const header: ValueType<readonly [string, string]> = {
  placeholder: "<name:value>",
  accepted: 'a name, a colon and a value of visible ASCII characters, such as "Authorization: Bearer …"',
  parse: (value) => {
    const [, name, content] = /^([\w!#$%&'*+.^`|~-]+): *([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/.exec(value) ?? [];
    if (name?.toLowerCase() === "x-api-key") throw new CommandLineError(["the key goes with --api-key or CHAIN_API_KEY"]);
    return name === undefined || content === undefined ? undefined : [name, content];
  },
};

const operation = oneOf(
  "<operation>",
  operations.map(({ id }) => id),
);
const report = { type: reportFile, repeatable: true, help: "form is junit or json; may be repeated" } as const;

const program = {
  name: "chain-query-conformance",
  manifest: new URL("../../package.json", import.meta.url),
  commands: {
    "": {
      summary: "Checks a service, or recorded response bodies, against the Chain Query contract.",
      arguments: { baseUrl },
      flags: {
        profile: {
          type: oneOf("<name>", ["examples", "live"]),
          default: "examples",
          help: "examples, or live",
        },
        apiKey: {
          type: matching("<key>", /^[\x21-\x7e]+$/, "visible ASCII characters"),
          environment: "CHAIN_API_KEY",
          secret: true,
          help: "sent as X-API-Key; or set CHAIN_API_KEY",
        },
        header: {
          type: header,
          environment: "CHAIN_HEADER",
          repeatable: true,
          secret: true,
          help: "sent with all requests; repeatable; or CHAIN_HEADER",
        },
        only: {
          type: list("<operation,…>", operation, operation.accepted),
          repeatable: true,
          help: "check only these operations",
        },
        account: { type: address, repeatable: true, help: "where live begins; may be repeated" },
        requestsPerSecond: { type: number(0, 100_000), help: "0 for no limit (default 1, with a key 10)" },
        timeout: { type: number(0.001, 3600, "<seconds>"), default: "30", help: "for each response" },
        fuzz: { type: wholeNumber(0, 1_000_000), help: "random requests of each kind (default 25)" },
        seed: { type: wholeNumber(0, 2 ** 31 - 1), help: "repeat the random choices of an earlier run" },
        checkLimits: { help: "check the rate limit and an unknown key, too" },
        report,
      },
    },
    bodies: {
      summary: "checks recorded response bodies, in <folder>/<operation>/*.json",
      arguments: { folder: text("<folder>", "a folder") },
      flags: { json: { help: "print JSON instead of a table" }, report },
    },
  },
  notes: "Exit code: 0 passed, 1 failed, 2 nothing failed, but not all could be checked.",
} as const satisfies Program;

/**
 * Parses the arguments of the command. The API key and a header come from the environment if they are not arguments.
 *
 * @throws CommandLineError with one line for each problem.
 */
export function parseArguments(
  args: readonly string[],
  { CHAIN_API_KEY, CHAIN_HEADER }: Readonly<Record<string, string | undefined>> = {},
): BodiesCommand | ServiceCommand | Printed {
  const parsed = parseCommandLine(program, args, {
    CHAIN_API_KEY: CHAIN_API_KEY || undefined,
    CHAIN_HEADER: CHAIN_HEADER || undefined,
  });
  if (parsed.command === "print") return parsed;
  if (parsed.command === "bodies")
    return { command: "bodies", folder: parsed.folder, json: parsed.json, reports: parsed.report };
  const { command, report: reports, only, account: accounts, header: headers, timeout, ...rest } = parsed;
  const options = headers.length === 0 ? rest : { ...rest, headers: Object.fromEntries(headers) };
  if (options.profile === "examples" && accounts.length > 0)
    throw new CommandLineError(["--account: only with --profile live; the examples name their own accounts"]);
  return { command: "service", options: { ...options, only: only.flat(), accounts, timeout: timeout * 1000 }, reports };
}
