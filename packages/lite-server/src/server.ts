import { adnlKey, serveAdnl } from "@chain-query/lite-protocol/adnl";
import type { LiteBehaviour } from "./behaviour.ts";
import { type GlobalConfigJson, globalConfig } from "./global-config.ts";
import { HeadWatch } from "./head-watch.ts";
import { type LiteChain, LoadedChain } from "./lite-chain.ts";
import { createResponder } from "./respond.ts";

/** Options of a lite server. */
export interface LiteServerOptions {
  /** The caller closes it, after the server. */
  readonly chain: LiteChain;
  /** The seed of the server's Ed25519 key, 32 bytes. Clients know the server by its public key, so keep the seed. */
  readonly key: Uint8Array;
  /** An IPv4 address to listen at; default: 127.0.0.1. */
  readonly host?: string | undefined;
  /** Default: 0, a free port. */
  readonly port?: number | undefined;
  /** Memory for decoded blocks in bytes; default: 32 MB. */
  readonly cacheBytes?: number | undefined;
  /** More connections are refused; default: 1000. */
  readonly maxConnections?: number | undefined;
  /** Receives errors of the server itself; clients receive "internal error". */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A running lite server. */
export interface LiteServer {
  readonly host: string;
  readonly port: number;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** Open connections. */
  readonly connections: number;
  /** The configuration file with which a client finds this server and its chain. */
  config(): GlobalConfigJson;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** Starts a lite server with a behaviour. */
export async function startServer(options: LiteServerOptions, behaviour: LiteBehaviour): Promise<LiteServer> {
  const { host = "127.0.0.1", port = 0, cacheBytes = 32_000_000, maxConnections, onError = () => undefined } = options;
  const key = adnlKey(options.key);
  const chain = behaviour.chain?.(options.chain) ?? options.chain;
  const respond = createResponder(new LoadedChain(chain, cacheBytes), new HeadWatch(chain), behaviour, onError);
  const { frame: changeFrame } = behaviour;
  const server = await serveAdnl({ key, host, port, onQuery: respond, onError, maxConnections, changeFrame });
  const { publicKey } = key;
  return {
    host,
    port: server.port,
    publicKey,
    get connections() {
      return server.connections;
    },
    config: () => globalConfig({ host, port: server.port, publicKey }, options.chain.zeroState()),
    close: () => server.close(),
  };
}

/**
 * Starts a lite server over a chain, for any client of the ADNL protocol. It makes its answers and proofs from the blocks and states of
 * the chain.
 *
 * @throws Error of `node:net` if it cannot listen, RangeError for a key that is not 32 bytes.
 *
 * @example
 * ```ts
 * import { formatGlobalConfig, startLiteServer } from "@chain-query/lite-server";
 *
 * const server = await startLiteServer({ chain, key: randomBytes(32), port: 4443 });
 * await writeFile("global.config.json", formatGlobalConfig(server.config()));
 * ```
 */
export async function startLiteServer(options: LiteServerOptions): Promise<LiteServer> {
  return startServer(options, {});
}
