import { isIPv6 } from "node:net";

/**
 * Whom a limit counts: an IPv4 address, or the first 64 bits of an IPv6 address, because whoever has one of those has all 2^64 that
 * begin so. An IPv4 address inside an IPv6 one is that IPv4 address. A port, which some proxies add, tells nobody apart.
 *
 * @example
 * clientOf("2001:db8:1:2:aaaa::1"); // "2001:db8:1:2::/64"
 * clientOf("::ffff:192.0.2.7"); // "192.0.2.7"
 */
export function clientOf(sent: string): string {
  const address = withoutPort(sent);
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/i.exec(address) ?? [];
  if (high !== undefined && low !== undefined) return [...bytesOf(high), ...bytesOf(low)].join(".");
  const [plain = ""] = address.split("%");
  if (!isIPv6(plain)) return address;
  const [head = "", tail] = plain.split("::");
  const groups = partsOf(head);
  if (tail !== undefined) {
    const last = partsOf(tail);
    // An IPv4 address at the end takes the place of two groups.
    const missing = 8 - groups.length - last.length - (tail.includes(".") ? 1 : 0);
    groups.push(...Array<string>(Math.max(0, missing)).fill("0"), ...last);
  }
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}

/** A connection's port changes with each connection; counted with it, nobody would meet a limit. */
function withoutPort(address: string): string {
  const [, version6, version4] = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/.exec(address) ?? [];
  return version6 ?? version4 ?? address;
}

function bytesOf(group: string): number[] {
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 255];
}

function partsOf(text: string): string[] {
  return text === "" ? [] : text.split(":");
}
