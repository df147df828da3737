/** Options of the service, with every default filled in. */
export interface ServeOptions {
  readonly port: number;
  readonly host: string;
  /** The folder of the chain. Not used with lite servers and with an index. */
  readonly chain: string;
  /** Where to read a live network, instead of the chain in a folder. */
  readonly lite?: LiteOptions | undefined;
  /** Where to read an index, instead of the chain in a folder. */
  readonly postgres?: PostgresOptions | undefined;
  /** Whether to produce blocks. */
  readonly produce: boolean;
  /** Seed of the chain that is made if the folder has none. Without one, it is the chain of the documentation's examples. */
  readonly seed: number | undefined;
  /** Seconds between blocks. */
  readonly blockInterval: number;
  /** The folder of the API keys. Not used with an index, which has them in its database. */
  readonly keys: string;
  /** Requests per second of an address without a key; 0 for no limit. */
  readonly keylessRate: number;
  /** The Redis in which instances share limits, keys and head; undefined for a single instance. May hold a password. */
  readonly redis?: string | undefined;
  /** Seconds for a request: limits, keys, head and all reads. */
  readonly deadline: number;
  readonly trustedProxies: readonly string[];
  readonly workers: number;
  readonly networkName: string;
  /** Seconds after which history is archival; by default what the chain was made with, or two days of a live network. */
  readonly retention: number | undefined;
  /** Seconds between the signal to stop, from which on `/readyz` is 503, and the end of new requests. */
  readonly shutdownDelay: number;
  readonly logLevel: LogLevel;
  readonly logRequests: boolean;
  readonly telemetry: boolean;
}

/** Options of reading a live network through its lite servers. */
export interface LiteOptions {
  /** The global.config.json that lists the servers. */
  readonly servers: string;
  /** Another such file, with servers that have the whole history. */
  readonly archival: string | undefined;
  readonly trust: TrustLevel;
  /** Queries per second to one server, of all processes together. */
  readonly rate: number;
}

/** Options of reading an index in PostgreSQL. URLs may have passwords: they belong into no message. */
export interface PostgresOptions {
  readonly primary: string;
  readonly replicas: readonly string[];
  /** A database with the whole history. */
  readonly archive: string | undefined;
  /** Milliseconds in which the primary or a replica has to answer for the first time. Default: 10,000. */
  readonly startTimeout?: number;
}

export const trustLevels = ["proofs", "none"] as const;

/** What is verified of the answers of lite servers. */
export type TrustLevel = (typeof trustLevels)[number];

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;

/** The least severe level that is logged. */
export type LogLevel = (typeof logLevels)[number];
