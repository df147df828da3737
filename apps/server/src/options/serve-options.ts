/** The options of serving: one table, from which flags, environment, file and help are read. */
import { addresses, duration, flag, matching, named, oneOf, type Read, whole } from "./values.ts";

/** How the service is to be run, with every default filled in. */
export interface ServeOptions {
  readonly port: number;
  readonly host: string;
  /** The folder of the chain. */
  readonly chain: string;
  /** Whether blocks are produced; otherwise the chain is served as it is. */
  readonly produce: boolean;
  /** What a chain is made from where there is none. */
  readonly seed: number;
  /** Seconds from one block to the next. */
  readonly blockInterval: number;
  /** The folder of the keys. */
  readonly keys: string;
  /** Requests per second of an address without a key; 0 for no limit. */
  readonly keylessRate: number;
  readonly trustedProxies: readonly string[];
  readonly workers: number;
  readonly networkName: string;
  /** Seconds after which history is archival; what the chain was made with where absent. */
  readonly retention: number | undefined;
  readonly logLevel: LogLevel;
  readonly logRequests: boolean;
  readonly telemetry: boolean;
}

/** What is logged. */
export type LogLevel = (typeof logLevels)[number];

const logLevels = ["debug", "info", "warn", "error", "silent"] as const;

/** One option: how it is called, read and explained. */
export interface Option<Value> {
  /** As a flag and in a file; in the environment in capitals after `CHAIN_QUERY_`. */
  readonly name: string;
  /** Whether the flag stands alone. */
  readonly alone?: boolean;
  readonly read: Read<Value>;
  readonly fallback: Value;
  /** For the help: what the flag takes, and what it does. */
  readonly help: readonly [takes: string, does: string];
}

/** All options but the folder of the keys' default, which depends on the chain's. */
export const serveTable: { readonly [Name in keyof ServeOptions]: Option<ServeOptions[Name]> } = {
  port: { name: "port", read: whole(0, 65_535), fallback: 8080, help: ["<number>", "port, 0 for any free one (default 8080)"] },
  host: {
    name: "host",
    read: named("an address of this machine, such as 127.0.0.1"),
    fallback: "127.0.0.1",
    help: ["<address>", "address (default 127.0.0.1, this machine only)"],
  },
  chain: {
    name: "chain",
    read: named("a folder"),
    fallback: "chain-query-chain",
    help: ["<folder>", "chain, made where absent (default chain-query-chain)"],
  },
  produce: {
    name: "no-produce",
    alone: true,
    read: (text) => negated(flag(text)),
    fallback: true,
    help: ["", "serve the chain as it is, without new blocks"],
  },
  seed: {
    name: "seed",
    read: whole(0, 2 ** 32 - 1),
    fallback: 1,
    help: ["<number>", "what a new chain is made from (default 1)"],
  },
  blockInterval: {
    name: "block-interval",
    read: duration,
    fallback: 5,
    help: ["<time>", "from one block to the next (default 5s)"],
  },
  keys: { name: "keys", read: named("a folder"), fallback: "", help: ["<folder>", "keys (default the chain's, with .keys)"] },
  keylessRate: {
    name: "keyless-rate",
    read: whole(0, 1_000_000),
    fallback: 1,
    help: ["<number>", "per second without a key, 0 for any (default 1)"],
  },
  trustedProxies: {
    name: "trusted-proxies",
    read: addresses,
    fallback: [],
    help: ["<list>", "networks whose X-Forwarded-For is believed"],
  },
  workers: { name: "workers", read: whole(1, 256), fallback: 1, help: ["<number>", "processes that answer (default 1)"] },
  networkName: {
    name: "network-name",
    read: matching(/^[a-z][a-z0-9]{0,31}$/, "a lower-case word such as chain"),
    fallback: "chain",
    help: ["<word>", "the network's word in names of blocks (default chain)"],
  },
  retention: {
    name: "retention",
    read: duration,
    fallback: undefined,
    help: ["<time>", "age at which history is archival, such as 48h"],
  },
  logLevel: {
    name: "log-level",
    read: oneOf(...logLevels),
    fallback: "info",
    help: ["<level>", `${logLevels.join(", ")} (default info)`],
  },
  logRequests: { name: "log-requests", alone: true, read: flag, fallback: false, help: ["", "log a line for each request"] },
  telemetry: {
    name: "telemetry",
    alone: true,
    read: flag,
    fallback: false,
    help: ["", "spans for the OpenTelemetry SDK of this process"],
  },
};

function negated(read: ReturnType<typeof flag>): ReturnType<typeof flag> {
  return "value" in read ? { value: !read.value } : read;
}
