import type { LiteFiles } from "@chain-query/lite";

/** Options of the service, with every default filled in. */
export interface ServeOptions {
  readonly port: number;
  readonly host: string;
  /** Whether other processes of this machine may listen on the port too. The system gives each connection to one of them. */
  readonly reusePort?: boolean;
  readonly source: SourceOptions;
  /** Requests per second of an address without a key; 0 for no limit. */
  readonly keylessRate: number;
  /** The Redis in which instances share limits; undefined for a single instance. May hold a password. */
  readonly redis?: string | undefined;
  /** Seconds for a request: limits, keys, head and all reads. */
  readonly deadline: number;
  readonly trustedProxies: readonly string[];
  /** Where status and metrics are served instead of at the address of the API. */
  readonly adminAddress?: { readonly host: string; readonly port: number } | undefined;
  /** Open connections. */
  readonly connections: number;
  /** Open connections of one address, or of one /64 network of IPv6 addresses; trusted proxies have no such limit. */
  readonly addressConnections: number;
  /** Whether responses that no longer change may be stored, by a shared cache too. */
  readonly cacheHeaders: boolean;
  /** Whether to serve only the contract, and nothing for clients of other gateways. */
  readonly contractOnly: boolean;
  readonly networkName: string;
  /** Seconds after which history is archival; by default the value of the chain's creation, or what lite servers keep. */
  readonly retention: number | undefined;
  /** Seconds since the time of the newest block above which the service is not ready; 0 or absent for no limit. */
  readonly maxHeadAge?: number | undefined;
  /** Seconds between the signal to stop, from which on `/readyz` is 503, and the end of new requests. */
  readonly shutdownDelay: number;
  readonly logLevel: LogLevel;
  readonly logRequests: boolean;
  readonly telemetry: boolean;
}

/** The chain to read: in a folder, of a live network, or in an index. */
export type SourceOptions = ChainOptions | NetworkOptions | IndexOptions;

/** A chain in a folder. */
export interface ChainOptions {
  readonly kind: "chain";
  readonly folder: string;
  /** Whether to produce blocks, and the chain of the documentation's examples if the folder has none. */
  readonly produce: boolean;
  /** Seconds between blocks. */
  readonly blockInterval: number;
  /** The folder of the API keys. */
  readonly keys: string;
}

/** A live network. */
export interface NetworkOptions extends LiteOptions {
  readonly kind: "network";
  /** The folder of the API keys. */
  readonly keys: string;
}

/** An index, which has the API keys in its database. */
export interface IndexOptions extends PostgresOptions {
  readonly kind: "index";
  /** The lite servers of its network, for what an index that begins late does not have. */
  readonly lite?: LiteOptions | undefined;
}

/** The lite servers that a source reads, if it reads any. */
export function liteServersOf(source: SourceOptions): LiteOptions | undefined {
  if (source.kind === "index") return source.lite;
  return source.kind === "network" ? source : undefined;
}

/** Options of reading a live network through its lite servers. */
export interface LiteOptions extends LiteFiles {
  /** The public key of the server whose newest block is believed without signatures. */
  readonly headFrom?: Uint8Array | undefined;
  /** Queries per second to one server. */
  readonly rate: number;
}

/** Options of reading an index in PostgreSQL. Messages must not contain the URLs, which may have passwords. */
export interface PostgresOptions {
  readonly primary: string;
  readonly replicas: readonly string[];
  /** Milliseconds in which the primary or a replica has to answer for the first time. Default: 10,000. */
  readonly startTimeout?: number;
}

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;

/** The least severe level that is logged. */
export type LogLevel = (typeof logLevels)[number];
