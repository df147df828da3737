import { resolve } from "node:path";
import {
  CommandLineError,
  duration,
  flagName,
  list,
  listenAddress,
  type Printed,
  type Program,
  parseCommandLine,
  serverKey,
  serverUrl,
  stateFolder,
  text,
  type ValueType,
  wholeNumber,
} from "@chain-query/command-line";
import type { SourceOptions } from "../sources/open-source.ts";
import { defaultLimits } from "../step-batches.ts";
import type { IndexStart, PastStep } from "./begin-late.ts";

/** A command with its values. `postgres` is the URL of the database, which may have a password. */
export type IndexerCommand = RunCommand | BackfillCommand | DatabaseCommand | VerifyCommand | StatusCommand | DropCommand;

/** Makes the tables. */
export interface DatabaseCommand {
  readonly command: "migrate";
  readonly postgres: string;
}

/** Checks the rows. */
export interface VerifyCommand {
  readonly command: "verify";
  readonly postgres: string;
  /** The first step. */
  readonly from?: number;
}

/** Shows the content of an index. */
export interface StatusCommand {
  readonly command: "status";
  readonly postgres: string;
  readonly json: boolean;
  /** The global.config.json of servers whose history is shown too. */
  readonly fromLiteServers?: string;
}

/** Drops old partitions, or the steps after one. */
export interface DropCommand {
  readonly command: "drop";
  readonly postgres: string;
  readonly before?: PastStep;
  readonly dryRun: boolean;
  readonly after?: number;
}

/** Follows a chain. */
export interface RunCommand {
  readonly command: "run";
  readonly postgres: string;
  readonly source: SourceOptions;
  /** Where an empty index begins; by default with the zero state. */
  readonly start?: IndexStart;
  /** Maximum number of steps in a commit. */
  readonly batch: number;
  /** Seconds. */
  readonly lease: number;
  /** Steps of a partition; absent for a single partition. */
  readonly partitionSteps?: number;
  /** Absent: no metrics. Port 0: any free port. */
  readonly adminAddress?: { readonly host: string; readonly port: number };
}

/** Adds steps before the first one of an index that begins late, down to a step, beside the indexer that follows the chain. */
export interface BackfillCommand {
  readonly command: "backfill";
  readonly postgres: string;
  readonly source: SourceOptions;
  readonly batch: number;
  readonly backTo: PastStep;
}

const highestSeqno = 2 ** 31 - 1;
const seqno = wholeNumber(1, highestSeqno, "<step>");
const file = text("<file>", "a file");
const environmentPrefix = "CHAIN_QUERY_INDEXER_";

const postgres = {
  postgres: {
    // The server reads the same variable, which may list replicas.
    type: list(
      "<url>",
      serverUrl(["postgres", "postgresql"], ["PGPASSWORD", "PGPASSFILE"]),
      "the URL of a database, of a list the first",
    ),
    environment: "CHAIN_QUERY_POSTGRES",
    secret: true,
    help: "the database (or CHAIN_QUERY_POSTGRES)",
  },
} as const;

/** A number is a step, a duration has a unit. */
const pastStep: ValueType<PastStep> = {
  placeholder: "<step>",
  accepted: "a step such as 64000000, or a duration before the newest step such as 30d",
  parse: (value, from) => {
    if (/^\d+$/.test(value)) {
      const step = seqno.parse(value, from);
      return step === undefined ? undefined : { step };
    }
    const seconds = duration.parse(value, from);
    return seconds === undefined ? undefined : { seconds };
  },
};

const start: ValueType<IndexStart> = {
  ...pastStep,
  accepted: `newest, ${pastStep.accepted}`,
  parse: (value, from) => (value === "newest" ? value : pastStep.parse(value, from)),
};

/** Seconds. */
const LONGEST_LEASE = 3_600;

const source = {
  fromChain: {
    type: text("<dir>", "a folder"),
    help: "read a chain in a folder",
    hides: ["fromLiteServers", "liteArchival", "liteAnchor", "liteHeadFrom"],
  },
  fromLiteServers: { type: file, help: "read a live network: its global.config.json", hides: ["fromChain"] },
  liteArchival: { type: file, help: "its archival servers: a global.config.json" },
  liteRate: { type: wholeNumber(1, 1_000_000), default: "40", help: "queries per second to a lite server" },
  liteAnchor: { type: file, help: "file of the newest verified key block" },
  liteHeadFrom: { type: serverKey, help: "believe this server of yours, not signatures" },
  batch: { type: wholeNumber(1, 1_000), default: `${defaultLimits.steps}`, help: "steps in a commit, at most" },
} as const;

const program = {
  name: "chain-query-indexer",
  manifest: new URL("../../package.json", import.meta.url),
  commands: {
    migrate: {
      summary: "makes the tables, or brings those of an earlier version up to date",
      environmentPrefix,
      flags: postgres,
    },
    run: {
      summary: "writes a chain into the database and follows it, until Ctrl-C",
      environmentPrefix,
      flags: {
        ...postgres,
        ...source,
        start: { type: start, help: "first step; servers need its states (zero state)" },
        lease: { type: duration, default: "20s", help: "time until a standby takes over" },
        partitionSteps: { type: seqno, help: "steps of a partition, such as 6480000" },
        adminAddress: { type: listenAddress, help: "/metrics, /healthz and /readyz at host:port" },
      },
    },
    backfill: {
      summary: "adds older steps to an index that begins late",
      environmentPrefix,
      flags: {
        ...postgres,
        ...source,
        backTo: { type: pastStep, required: true, help: "extend to here; servers need the states" },
      },
    },
    drop: {
      summary: "drops the oldest partitions, or the steps after one",
      environmentPrefix,
      flags: {
        ...postgres,
        before: { type: pastStep, help: "only partitions of steps before, or 90d old" },
        dryRun: { help: "show the partitions without dropping them" },
        after: { type: wholeNumber(0, highestSeqno, "<step>"), help: "all steps after this one; stop indexers first" },
      },
    },
    verify: {
      summary: "makes every row again from its cells, and compares",
      environmentPrefix,
      flags: { ...postgres, from: { type: seqno, help: "only steps from this one on" } },
    },
    status: {
      summary: "shows the head, the size, who writes, and what lite servers keep",
      environmentPrefix,
      flags: {
        ...postgres,
        fromLiteServers: source.fromLiteServers,
        json: { help: "print JSON" },
      },
    },
  },
  notes: `CHAIN_QUERY_INDEXER_BATCH is --batch, and so on. Passwords are in PGPASSWORD,
PGPASSFILE or CHAIN_QUERY_POSTGRES, of whose list the first is written. Exit
code: 0 done, 1 verify found an error, 2 arguments or database, 75 try again.`,
} as const satisfies Program;

/**
 * Parses the arguments and the environment of the command.
 *
 * @throws CommandLineError with one line for each problem.
 */
export function parseArguments(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): IndexerCommand | Printed {
  const given = parseCommandLine(program, args, environment);
  if (given.command === "print") return given;
  const [postgres] = given.postgres ?? [];
  if (postgres === undefined) throw new CommandLineError(["--postgres: missing; expected it or CHAIN_QUERY_POSTGRES"]);
  const parsed = { ...given, postgres };
  switch (parsed.command) {
    case "run":
    case "backfill": {
      const { fromChain, fromLiteServers, liteArchival, liteRate, liteAnchor, liteHeadFrom, ...options } = parsed;
      if (options.command === "run" && options.lease > LONGEST_LEASE)
        throw new CommandLineError([`--lease: expected at most 1h, got ${options.lease}s`]);
      const flags = { fromChain, fromLiteServers, liteArchival, liteRate, liteAnchor, liteHeadFrom };
      return { ...options, source: sourceOptions(flags, environment) };
    }
    case "drop": {
      const { before, after, dryRun } = parsed;
      if (after !== undefined && (before !== undefined || dryRun))
        throw new CommandLineError(["--after: expected no --before or --dry-run with it"]);
      if (before !== undefined || after !== undefined) return parsed;
      throw new CommandLineError(["--before, --after: missing; expected one of them"]);
    }
    default:
      return parsed;
  }
}

interface SourceFlags {
  readonly fromChain: string | undefined;
  readonly fromLiteServers: string | undefined;
  readonly liteArchival: string | undefined;
  readonly liteRate: number;
  readonly liteAnchor: string | undefined;
  readonly liteHeadFrom: Uint8Array | undefined;
}

/** Of each option for lite servers, the flag. */
const liteFlags = ["liteArchival", "liteAnchor", "liteHeadFrom"] as const;

function sourceOptions(flags: SourceFlags, environment: Readonly<Record<string, string | undefined>>): SourceOptions {
  const { fromChain, fromLiteServers, liteArchival, liteRate, liteAnchor, liteHeadFrom } = flags;
  if ((fromChain === undefined) === (fromLiteServers === undefined)) {
    const got = fromChain === undefined ? "neither" : "both";
    throw new CommandLineError([`--from-chain, --from-lite-servers: expected one of them, got ${got}`]);
  }
  if (fromChain !== undefined) {
    const given = liteFlags.find((name) => flags[name] !== undefined);
    if (given === undefined) return { chain: resolve(fromChain) };
    throw new CommandLineError([`--${flagName(given)}: is for lite servers; expected --from-lite-servers too`]);
  }
  return {
    servers: resolve(fromLiteServers ?? ""),
    rate: liteRate,
    state: resolve(stateFolder(environment)),
    ...(liteArchival !== undefined && { archival: resolve(liteArchival) }),
    ...(liteAnchor !== undefined && { anchor: resolve(liteAnchor) }),
    ...(liteHeadFrom !== undefined && { headFrom: liteHeadFrom }),
  };
}
