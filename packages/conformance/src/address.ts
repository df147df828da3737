/** Account addresses and shard prefixes. The codec is `@ton/core`'s, which shares no code with the services of this repository. */
import { createRequire } from "node:module";

/** Only friendly addresses need it, and it is large. */
function codec(): typeof import("@ton/core") {
  return createRequire(import.meta.url)("@ton/core");
}

/** The raw form in capitals of an address in raw or user-friendly form; undefined if it is neither. */
export function rawAddressOf(text: string): string | undefined {
  if (/^-?\d{1,10}:[0-9A-Fa-f]{64}$/.test(text)) return text.toUpperCase();
  try {
    const { workChain, hash } = codec().Address.parseFriendly(text).address;
    // The byte is signed; `@ton/core` reads it as unsigned except for -1.
    return `${workChain > 127 ? workChain - 256 : workChain}:${hash.toString("hex").toUpperCase()}`;
  } catch {
    return undefined;
  }
}

/** The bounceable user-friendly form in the URL-safe alphabet. */
export function friendlyAddressOf(workchain: number, account: Uint8Array): string {
  const { Address } = codec();
  return new Address(workchain, Buffer.from(account)).toString();
}

/** The bits that the ids of all accounts of a shard begin with. */
export function prefixOf(shard: string): string {
  return addressOf(shard).replace(/10*$/, "");
}

/** The id of the smallest shard that contains an account. A lookup by it finds the block of whichever real shard contains the account. */
export function shardOf(raw: string): string {
  const [, account = ""] = raw.split(":");
  return String(BigInt.asIntN(64, (BigInt(`0x${account.slice(0, 15)}`) << 4n) | 8n));
}

/** The 64 bits at which an address begins that a service looks up for a shard: all bits of its id (D-12). */
export function addressOf(shard: string): string {
  return BigInt.asUintN(64, BigInt(shard)).toString(2).padStart(64, "0");
}

/** The ids of the smallest shards with the first and the last accounts of a shard. */
export function edgesOf(shard: string): string[] {
  const prefix = prefixOf(shard);
  return ["0", "1"].map((bit) => String(BigInt.asIntN(64, BigInt(`0b${prefix.padEnd(60, bit)}1000`))));
}
