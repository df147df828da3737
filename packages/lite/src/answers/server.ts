import { base64 } from "@chain-query/format/cells";
import type { BlockId } from "@chain-query/format/identifiers";
import type { AdnlAddress } from "../wire/adnl/connect.ts";
import { adnlKey } from "../wire/adnl/handshake.ts";
import { serveAdnl } from "../wire/adnl/serve.ts";
import type { LiteBehaviour } from "./behaviour.ts";
import type { LiteChain } from "./lite-chain.ts";
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

export async function startServer(options: LiteServerOptions, behaviour: LiteBehaviour): Promise<LiteServer> {
  const { host = "127.0.0.1", port = 0, onError = () => undefined } = options;
  const key = adnlKey(options.key);
  const chain = behaviour.chain?.(options.chain) ?? options.chain;
  const respond = createResponder(chain, behaviour, onError);
  const { frame: changeFrame } = behaviour;
  const server = await serveAdnl({ key, host, port, onQuery: respond, onError, changeFrame });
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
 * import { formatGlobalConfig, startLiteServer } from "@chain-query/lite/answers";
 *
 * const server = await startLiteServer({ chain, key: randomBytes(32), port: 4443 });
 * await writeFile("global.config.json", formatGlobalConfig(server.config()));
 * ```
 */
export async function startLiteServer(options: LiteServerOptions): Promise<LiteServer> {
  return startServer(options, {});
}

/** A block in a configuration file. */
export interface BlockIdJson {
  readonly workchain: number;
  /** Exact only for whole workchains: other shards are not numbers that JSON readers keep. */
  readonly shard: number;
  readonly seqno: number;
  /** Base64. */
  readonly root_hash: string;
  /** Base64. */
  readonly file_hash: string;
}

/** The configuration file of a network (`global.config.json`), as clients of lite servers read it. */
export interface GlobalConfigJson {
  readonly "@type": "config.global";
  readonly liteservers: readonly {
    /** An IPv4 address as a signed number. */
    readonly ip: number;
    readonly port: number;
    readonly id: { readonly "@type": "pub.ed25519"; readonly key: string };
  }[];
  readonly validator: {
    readonly "@type": "validator.config.global";
    readonly zero_state: BlockIdJson;
    readonly init_block: BlockIdJson;
    readonly hardforks: readonly BlockIdJson[];
  };
}

/**
 * The configuration file of a network with one lite server.
 *
 * @throws RangeError unless the host is an IPv4 address: the file has no others.
 */
export function globalConfig({ host, port, publicKey }: AdnlAddress, zeroState: BlockId): GlobalConfigJson {
  const zero: BlockIdJson = {
    workchain: zeroState.workchain,
    shard: Number(zeroState.shard),
    seqno: zeroState.seqno,
    root_hash: base64(zeroState.rootHash),
    file_hash: base64(zeroState.fileHash),
  };
  return {
    "@type": "config.global",
    liteservers: [{ ip: signedAddress(host), port, id: { "@type": "pub.ed25519", key: base64(publicKey) } }],
    validator: { "@type": "validator.config.global", zero_state: zero, init_block: zero, hardforks: [] },
  };
}

/**
 * Writes a configuration file.
 *
 * @example
 * ```ts
 * await writeFile("global.config.json", formatGlobalConfig(server.config()));
 * ```
 */
export function formatGlobalConfig(config: GlobalConfigJson): string {
  // -2^63 is a number of JavaScript, but is written with other last digits, which readers of 64-bit integers refuse.
  return `${JSON.stringify(config, null, 2).replaceAll("-9223372036854776000", "-9223372036854775808")}\n`;
}

function signedAddress(host: string): number {
  // Every machine resolves "localhost".
  const parts = (host === "localhost" ? "127.0.0.1" : host).split(".").map(Number);
  if (parts.length !== 4 || !parts.every((part) => Number.isInteger(part) && part >= 0 && part <= 255)) {
    throw new RangeError(`host must be an IPv4 address, got ${JSON.stringify(host)}`);
  }
  return parts.reduce((address, part) => (address << 8) | part, 0);
}
