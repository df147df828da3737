import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { BlockList, isIP, isIPv4 } from "node:net";
import { resolve } from "node:path";
import {
  CommandLineError,
  duration,
  flagName,
  list,
  listenAddress,
  matching,
  oneOf,
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
import { logLevels, type ServeOptions, type SourceOptions } from "../serve-options.ts";

export interface ServeCommand {
  readonly command: "serve";
  readonly options: ServeOptions;
}

export interface LiteCommand {
  readonly command: "lite";
  readonly folder: string;
  /** 0 for a free port. */
  readonly port: number;
  /** An IPv4 address. */
  readonly host: string;
  /** Default: in the folder. */
  readonly keyFile?: string;
  /** Default: stdout. */
  readonly configFile?: string;
}

/** The place of the keys: a folder, or the database of an index. */
export type KeysPlace = { readonly folder: string } | { readonly postgres: string };

export type KeysCommand = KeysPlace &
  (
    | { readonly command: "keys add"; readonly owner: string; readonly rate: number; readonly network?: string }
    | { readonly command: "keys list" }
    | { readonly command: "keys revoke"; readonly id: string }
  );

const network: ValueType<string> = {
  placeholder: "<network>",
  accepted: "",
  parse: (value) => {
    const [address = "", prefix, ...more] = value.split("/");
    const version = isIP(address);
    if (version === 0 || more.length > 0) return undefined;
    if (prefix === undefined) return value;
    try {
      const length = /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
      new BlockList().addSubnet(address, length, version === 4 ? "ipv4" : "ipv6");
      return value;
    } catch {
      return undefined;
    }
  },
};

const ageLimit: ValueType<number> = {
  ...duration,
  accepted: "a time such as 60, 5m or 1h, or 0 for no limit",
  parse: (value, from) => (value === "0" ? 0 : duration.parse(value, from)),
};

const folder = text("<dir>", "a folder");
const networkName = matching("<word>", /^[a-z][a-z0-9]{0,31}$/, "a lower-case word such as chain");
// `keys list` prints one line for each key.
const line = matching("<owner>", /^\P{Cc}+$/u, "one line of text");

/** Loads the parser of YAML only if there is a file. */
function readConfig(file: string): unknown {
  const { parse } = createRequire(import.meta.url)("yaml") as typeof import("yaml");
  return parse(readFileSync(file, "utf8"));
}

const uncounted =
  "--reuse-port: each process counts requests alone, so a caller may get the rate of all of them; expected --redis or --keyless-rate too";

/** The options of each kind of source. The options of different kinds exclude each other. */
const sourceFlags = {
  chain: ["chain", "blockInterval"],
  network: ["liteServers", "liteArchival", "liteAnchor", "liteHeadFrom", "liteRate"],
  index: ["postgres"],
} as const;

/** Clients of a lite server know it by the number of its address. */
const ipv4: ValueType<string> = {
  placeholder: "<address>",
  accepted: "an IPv4 address",
  parse: (value) => (isIPv4(value) ? value : undefined),
};

const listening = {
  port: { type: wholeNumber(0, 65_535), default: "8080", help: "port, 0 for any free one" },
  host: { type: text("<address>", "an address of this machine"), default: "127.0.0.1", help: "address" },
} as const;
const defaultChain = "chain-query-chain";
/** Seconds. A chain in a folder may have stopped; an index follows a network, a little later than that. */
const headAges = { chain: 0, network: 60, index: 300 } as const;
const chain = {
  type: folder,
  help: `chain, made if absent (default ${defaultChain})`,
  environment: "CHAIN_QUERY_CHAIN",
  hides: [...sourceFlags.network, ...sourceFlags.index],
} as const;
const file = text("<file>", "a file");
const database = serverUrl(["postgres", "postgresql"], ["PGPASSWORD", "PGPASSFILE"]);
const databases = list("<urls>", database, "the URLs of a database and of its replicas, separated by commas");
const redisServer = serverUrl(["redis", "rediss"]);
const redisUrl: ValueType<string> = {
  ...redisServer,
  accepted: "a URL such as redis://host:port or redis://host:port/1, the number of a database, and no query",
  parse: (value, from) => {
    const url = redisServer.parse(value, from);
    // The library takes settings from a query.
    return url !== undefined && /^[^/]*\/\/[^/?#]*(\/\d{0,9})?$/.test(url) ? url : undefined;
  },
};
const keys = { type: folder, help: "keys (default: the chain's folder with .keys)", environment: "CHAIN_QUERY_KEYS" } as const;
/** The options that name the place of the keys. The service and `keys` may have the same environment. */
const keyPlaces = {
  keys: { ...keys, hides: ["postgres"] },
  chain: { ...chain, hides: ["postgres"] },
  postgres: {
    type: databases,
    secret: true,
    help: "keys in the database of an index",
    environment: "CHAIN_QUERY_POSTGRES",
    hides: ["keys", "chain"],
  },
} as const;

const program = {
  name: "chain-query-server",
  manifest: new URL("../../package.json", import.meta.url),
  commands: {
    "": {
      summary: "Answers the Chain Query HTTP API from a chain, until Ctrl-C.",
      readConfig,
      environmentPrefix: "CHAIN_QUERY_",
      flags: {
        ...listening,
        reusePort: { help: "share the port with other processes of the machine" },
        adminAddress: { type: listenAddress, help: "status and metrics at host:port of their own" },
        chain,
        liteServers: {
          type: file,
          help: "read a live network: its global.config.json",
          hides: sourceFlags.chain,
        },
        liteArchival: { type: file, help: "the same of servers with the whole history" },
        liteAnchor: { type: file, help: "verified key block (default in the state folder)" },
        liteHeadFrom: { type: serverKey, help: "believe this server of yours, not signatures" },
        liteRate: { type: wholeNumber(1, 1_000_000), help: "queries per second to a lite server (default 40)" },
        postgres: {
          type: databases,
          help: "read an index: its database and replicas",
          secret: true,
          hides: ["keys", ...sourceFlags.chain],
        },
        noProduce: { help: "make no new blocks" },
        blockInterval: { type: duration, help: "time between blocks (default 5s)" },
        keys,
        keylessRate: { type: wholeNumber(0, 1_000_000), help: "per second without a key, 0: no limit (default 1)" },
        trustedProxies: {
          type: list("<list>", network, "IP addresses or networks such as 10.0.0.0/8, separated by commas"),
          help: "networks whose X-Forwarded-For is used",
        },
        connections: { type: wholeNumber(1, 1_000_000), default: "10000", help: "open connections" },
        addressConnections: { type: wholeNumber(1, 1_000_000), default: "256", help: "of these, from one address" },
        deadline: { type: duration, help: "time limit of a request (default 5s)" },
        redis: { type: redisUrl, secret: true, help: "share limits with other instances" },
        contractOnly: { help: "no JSON-RPC, no other methods, no key in URLs" },
        noCacheHeaders: { help: "no-store always, where all callers need a key" },
        networkName: { type: networkName, default: "chain", help: "network in names of blocks" },
        retention: { type: duration, help: "age at which history is archival, such as 48h" },
        maxHeadAge: { type: ageLimit, help: "age of the head for /readyz (index 5m, live 60s)" },
        shutdownDelay: { type: duration, help: "after SIGTERM, answer on while /readyz is 503" },
        logLevel: { type: oneOf("<level>", logLevels), default: "info", help: "debug, info, warn, error, silent" },
        logRequests: { help: "log every request" },
        telemetry: { help: "spans for the OpenTelemetry SDK" },
      },
    },
    lite: {
      summary: "runs a lite server over a chain in a folder, until Ctrl-C",
      flags: {
        chain: { type: folder, required: true, help: "chain that chain-query-local-chain made" },
        ...{ port: listening.port, host: { ...listening.host, type: ipv4 } },
        keyFile: { type: file, help: "key, made if absent (default: in the chain)" },
        configFile: { type: file, help: "global.config.json for clients (default: stdout)" },
      },
    },
    "keys add": {
      summary: "makes a key and prints it; only its hash is kept",
      arguments: { owner: line },
      flags: {
        rate: { type: wholeNumber(0, 1_000_000), default: "10", help: "requests per second, 0: no limit" },
        network: { type: networkName, help: "the one network of the key (default: any)" },
        ...keyPlaces,
      },
    },
    "keys list": { summary: "lists the keys", flags: keyPlaces },
    "keys revoke": {
      summary: "revokes a key; running servers refuse it within 5 seconds",
      arguments: { id: text("<id>", "the id of a key") },
      flags: keyPlaces,
    },
  },
  notes: "Options go before the environment (CHAIN_QUERY_PORT), and that before the file.",
} as const satisfies Program;

/**
 * Parses the arguments, the environment and the config file of the command.
 *
 * @throws CommandLineError with one line for each problem.
 */
export function parseArguments(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ServeCommand | LiteCommand | KeysCommand | Printed {
  const parsed = parseCommandLine(program, args, environment);
  if (parsed.command === "print") return parsed;
  if (parsed.command === "lite") {
    const { chain: folder, ...command } = parsed;
    return { ...command, folder };
  }
  const { chain = defaultChain, keys = `${resolve(chain)}.keys` } = parsed;
  const folder = resolve(keys);
  switch (parsed.command) {
    case "": {
      const { port, host, reusePort, redis, trustedProxies = [], networkName } = parsed;
      const { keylessRate = 1, connections, addressConnections, adminAddress } = parsed;
      if (reusePort && redis === undefined && parsed.keylessRate === undefined) throw new CommandLineError([uncounted]);
      if (adminAddress?.port === port && adminAddress.host === host && port > 0)
        throw new CommandLineError([`--admin-address: expected another address than that of the API, ${host}:${port}`]);
      const { deadline = 5, retention, shutdownDelay = 0, logLevel, logRequests, telemetry } = parsed;
      const limits = { keylessRate, redis, trustedProxies, connections, addressConnections };
      const logging = { logLevel, logRequests, telemetry };
      const source = sourceOptions(parsed, resolve(chain), folder, stateFolder(environment));
      const { maxHeadAge = headAges[source.kind] } = parsed;
      const { contractOnly } = parsed;
      const process = { cacheHeaders: !parsed.noCacheHeaders, contractOnly, networkName, retention, maxHeadAge, shutdownDelay };
      const options = { port, host, reusePort, adminAddress, source, deadline, ...limits, ...process, ...logging };
      return { command: "serve", options };
    }
    default: {
      const { chain: _, keys: __, postgres: [postgres] = [], ...command } = parsed;
      return { ...command, ...(postgres === undefined ? { folder } : { postgres }) };
    }
  }
}

type Parsed = ReturnType<typeof parseCommandLine<typeof program>>;
type ServeFlags = Extract<Parsed, { readonly command: "" }>;

/**
 * The options of the source.
 *
 * @param folder - Of the chain.
 * @param keys - The folder of the keys.
 * @param state - The folder of files that must survive a restart.
 * @throws CommandLineError if the flags belong to several kinds.
 */
function sourceOptions(flags: ServeFlags, folder: string, keys: string, state: string): SourceOptions {
  checkServeFlags(flags);
  const { liteServers, liteArchival, liteAnchor, liteHeadFrom: headFrom, liteRate: rate = 40 } = flags;
  const [primary, ...replicas] = flags.postgres ?? [];
  const archival = liteArchival === undefined ? undefined : resolve(liteArchival);
  const anchor = liteAnchor === undefined ? undefined : resolve(liteAnchor);
  const places = { archival, anchor, state: resolve(state) };
  const lite = liteServers === undefined ? undefined : { servers: resolve(liteServers), ...places, headFrom, rate };
  if (primary !== undefined) return { kind: "index", primary, replicas, lite };
  if (lite !== undefined) return { kind: "network", ...lite, keys };
  const { noProduce, blockInterval = 5 } = flags;
  return { kind: "chain", folder, produce: !noProduce, blockInterval, keys };
}

function checkServeFlags(flags: ServeFlags): void {
  const refuse = (names: readonly (keyof ServeFlags)[], problem: string): void => {
    const given = names.find((name) => flags[name] !== undefined);
    if (given !== undefined) throw new CommandLineError([`--${flagName(given)}: ${problem}`]);
  };
  const { chain, network, index } = sourceFlags;
  if (flags.liteServers === undefined) refuse(network, "is for lite servers; expected --lite-servers too");
  else refuse(chain, "is for a chain in a folder; expected it or --lite-servers, got both");
  if (flags.postgres === undefined) refuse(index, "is for an index; expected --postgres too");
  else {
    refuse(chain, "is for another source; expected it or --postgres, got both");
    refuse(["keys"], "an index has its keys in its database; expected --keys or --postgres, got both");
  }
}

/**
 * Parses the options of the service, from arguments and environment like those of the command.
 *
 * @throws CommandLineError with one line for each problem.
 *
 * @example
 * ```ts
 * parseServeOptions(["--port", "0"], {}); // { port: 0, host: "127.0.0.1", … }
 * ```
 */
export function parseServeOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ServeOptions {
  const parsed = parseArguments(args, environment);
  if (parsed.command === "serve") return parsed.options;
  throw new CommandLineError([`expected options of the service only, got ${JSON.stringify(args.join(" "))}`]);
}
