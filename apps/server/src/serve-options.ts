/** Options of the service, with every default filled in. */
export interface ServeOptions {
  readonly port: number;
  readonly host: string;
  /** The folder of the chain. */
  readonly chain: string;
  /** Whether to produce blocks. */
  readonly produce: boolean;
  /** Seed of the chain that is made if the folder has none. Without one, it is the chain of the documentation's examples. */
  readonly seed: number | undefined;
  /** Seconds between blocks. */
  readonly blockInterval: number;
  /** The folder of the API keys. */
  readonly keys: string;
  /** Requests per second of an address without a key; 0 for no limit. */
  readonly keylessRate: number;
  readonly trustedProxies: readonly string[];
  readonly workers: number;
  readonly networkName: string;
  /** Seconds after which history is archival; by default what the chain was made with. */
  readonly retention: number | undefined;
  readonly logLevel: LogLevel;
  readonly logRequests: boolean;
  readonly telemetry: boolean;
}

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;

/** The least severe level that is logged. */
export type LogLevel = (typeof logLevels)[number];
