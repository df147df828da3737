import { isIPv4 } from "node:net";
import { OperationalError } from "@chain-query/format/error";
import { type BlockId, WHOLE_WORKCHAIN } from "@chain-query/format/identifiers";

/** A lite server as a global.config.json lists it. */
export interface ServerAddress {
  /** An IP address or a host name. */
  readonly host: string;
  readonly port: number;
  /** The Ed25519 key of the server, 32 bytes. */
  readonly publicKey: Uint8Array;
  /** The ranges of blocks that the server keeps; empty if the file does not list any. */
  readonly slices: readonly HistorySlice[];
}

/** A range of blocks by shard. Without `from` it begins at the zero state; without `to` it has no end. */
export interface HistorySlice {
  readonly from: readonly SliceEnd[];
  readonly to: readonly SliceEnd[];
}

/** One end of a slice in one shard. */
export interface SliceEnd {
  readonly workchain: number;
  readonly shard: bigint;
  readonly seqno: number;
  /** Unix seconds. */
  readonly time: number;
  readonly lt: bigint;
}

/** The configuration of a network. */
export interface GlobalConfig {
  readonly servers: readonly ServerAddress[];
  readonly zeroState: BlockId;
  /** A block that the file's author vouches for: `init_block` or else the zero state, unless one of `hardforks` is newer. */
  readonly initBlock: BlockId;
  readonly hardforks: readonly BlockId[];
  /** Suspicious but usable entries, one line each. */
  readonly warnings: readonly string[];
}

/** A file is not a usable global.config.json. The message is one line with the place of the error. */
export class ConfigError extends OperationalError {
  override readonly name = "ConfigError";
  override readonly isUserError = true;
}

/**
 * Reads the text of a global.config.json: the network's zero state and its lite servers, `liteservers` and `liteservers_v2`.
 *
 * @throws ConfigError with one line: the place, the expected and the given value.
 *
 * @example
 * ```ts
 * import { parseGlobalConfig } from "@chain-query/lite";
 *
 * const config = parseGlobalConfig(await readFile("global.config.json", "utf8"));
 * console.log(config.servers.length, config.warnings);
 * ```
 */
export function parseGlobalConfig(text: string): GlobalConfig {
  const root = new Field(parseExactly(text), "config");
  const old = root.optional("liteservers")?.items() ?? [];
  const sliced = root.optional("liteservers_v2")?.items() ?? [];
  const listed = [...old, ...sliced].map(readServer);
  if (listed.length === 0) throw new ConfigError("liteservers: must list at least one lite server, got none");
  const validator = root.member("validator");
  const zeroState = readBlockId(validator.member("zero_state"));
  const hardforks = validator.optional("hardforks")?.items().map(readBlockId) ?? [];
  const init = validator.optional("init_block");
  const initBlock = hardforks.reduce(
    (newest, fork) => (fork.seqno > newest.seqno ? fork : newest),
    init ? readBlockId(init) : zeroState,
  );
  return { ...mergeServers(listed), zeroState, initBlock, hardforks };
}

const WHOLE = Number(WHOLE_WORKCHAIN);

/** Parses JSON with integers past 2^53 as bigint, because a shard has 64 bits. */
function parseExactly(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) => {
      const isLarge = typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "");
      if (!isLarge) return value;
      const exact = BigInt(context?.source ?? 0);
      // Programs that keep numbers as doubles write -2^63, the shard of a whole workchain, as -9223372036854776000.
      return value === WHOLE && exact < WHOLE ? WHOLE_WORKCHAIN : exact;
    });
  } catch (error) {
    throw new ConfigError(
      `config: must be JSON, got ${error instanceof Error ? error.message.replaceAll(/\s+/g, " ") : error}`,
    );
  }
}

class Field {
  readonly value: unknown;
  readonly where: string;

  constructor(value: unknown, where: string) {
    this.value = value;
    this.where = where;
  }

  optional(name: string): Field | undefined {
    const { value } = this;
    if (typeof value !== "object" || value === null || Array.isArray(value)) this.refuse("an object");
    const member: unknown = Object.hasOwn(value as object, name) ? (value as Record<string, unknown>)[name] : undefined;
    const where = this.where === "config" ? name : `${this.where}.${name}`;
    return member === undefined ? undefined : new Field(member, where);
  }

  member(name: string): Field {
    return this.optional(name) ?? new Field(undefined, this.where === "config" ? name : `${this.where}.${name}`);
  }

  items(): Field[] {
    if (!Array.isArray(this.value)) this.refuse("an array");
    return (this.value as unknown[]).map((item, i) => new Field(item, `${this.where}[${i}]`));
  }

  integer(least: bigint, most: bigint, accepted = `a whole number from ${least} to ${most}`): bigint {
    const { value } = this;
    const isNumber = typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value));
    // Some files write 64-bit numbers as text.
    const isText = typeof value === "string" && /^-?\d{1,20}$/.test(value);
    const number = isNumber || isText ? BigInt(value as number | bigint | string) : undefined;
    if (number === undefined || number < least || number > most) this.refuse(accepted);
    return number as bigint;
  }

  uint32(): number {
    return Number(this.integer(0n, 2n ** 32n - 1n));
  }

  bytes32(): Uint8Array {
    const bytes = typeof this.value === "string" ? Buffer.from(this.value, "base64") : undefined;
    if (bytes?.length !== 32) this.refuse("32 bytes in base64");
    return new Uint8Array(bytes as Buffer);
  }

  refuse(expected: string): never {
    const { value } = this;
    const got =
      typeof value === "bigint" ? `${value}` : value === undefined ? "nothing" : (JSON.stringify(value) ?? typeof value);
    throw new ConfigError(`${this.where}: must be ${expected}, got ${got.length > 80 ? `${got.slice(0, 80)}…` : got}`);
  }
}

function readServer(field: Field): ServerAddress {
  const id = field.member("id");
  const kind = id.optional("@type");
  if (kind && kind.value !== "pub.ed25519") kind.refuse('"pub.ed25519"');
  const port = Number(field.member("port").integer(1n, 65_535n));
  return {
    host: readHost(field),
    port,
    publicKey: id.member("key").bytes32(),
    slices: field.optional("slices")?.items().map(readSlice) ?? [],
  };
}

const [LEAST_IP, MOST_IP] = [-(2n ** 31n), 2n ** 32n - 1n];

/** The address is dotted text, or a number in network byte order, which may be signed: -2018135749 is 135.181.177.59. */
function readHost(field: Field): string {
  const name = field.optional("hostname") ?? field.optional("host");
  const ip = field.member("ip");
  if (ip.value === undefined && name) {
    if (typeof name.value !== "string" || name.value === "") name.refuse("a host name");
    return name.value as string;
  }
  if (typeof ip.value === "string" && isIPv4(ip.value)) return ip.value;
  const forms = `an IPv4 address, as text or as a whole number from ${LEAST_IP} to ${MOST_IP}; or leave it out and give a name as "host"`;
  const number = Number(BigInt.asUintN(32, ip.integer(LEAST_IP, MOST_IP, forms)));
  return [24, 16, 8, 0].map((bits) => (number >>> bits) & 0xff).join(".");
}

function readSlice(field: Field): HistorySlice {
  const kind = field.member("@type").value;
  if (kind === "liteserver.descV2.sliceSimple") return { from: [], to: [] };
  if (kind !== "liteserver.descV2.sliceTimed") field.member("@type").refuse("a known kind of slice");
  const ends = (name: string) => field.optional(name)?.items().map(readSliceEnd) ?? [];
  return { from: ends("shards_from"), to: ends("shards_to") };
}

function readSliceEnd(field: Field): SliceEnd {
  const shard = field.member("shard_id");
  return {
    ...readShard(shard),
    seqno: field.optional("seqno")?.uint32() ?? 0,
    time: field.optional("utime")?.uint32() ?? 0,
    lt: field.optional("lt")?.integer(0n, 2n ** 64n - 1n) ?? 0n,
  };
}

function readShard(field: Field): { readonly workchain: number; readonly shard: bigint } {
  const workchain = Number(field.member("workchain").integer(-(2n ** 31n), 2n ** 31n - 1n));
  return { workchain, shard: BigInt.asIntN(64, field.member("shard").integer(-(2n ** 63n), 2n ** 64n - 1n)) };
}

function readBlockId(field: Field): BlockId {
  const [rootHash, fileHash] = [field.member("root_hash").bytes32(), field.member("file_hash").bytes32()];
  return { ...readShard(field), seqno: field.member("seqno").uint32(), rootHash, fileHash };
}

/** One entry for each server: the lists overlap, and entries of `liteservers_v2` have slices. */
function mergeServers(listed: readonly ServerAddress[]): Pick<GlobalConfig, "servers" | "warnings"> {
  const servers = new Map<string, ServerAddress>();
  const warnings: string[] = [];
  for (const server of listed) {
    const key = Buffer.from(server.publicKey).toString("base64");
    const known = servers.get(key);
    const [address, knownAddress] = [server, known].map((each) => each && `${each.host}:${each.port}`);
    if (known && address !== knownAddress)
      warnings.push(`key ${key} has two addresses, ${knownAddress} and ${address}: the first is used`);
    else servers.set(key, { ...server, slices: [...(known?.slices ?? []), ...server.slices] });
  }
  return { servers: [...servers.values()], warnings };
}
