import { isIPv6 } from "node:net";

/**
 * The client that a limit counts: an IPv4 address, or the /64 network of an IPv6 address, since one subscriber controls all addresses of
 * a /64. An IPv4-mapped IPv6 address counts as its IPv4 address. A port, which some proxies add, is ignored.
 *
 * @example
 * clientOf("2001:db8:1:2:aaaa::1"); // "2001:db8:1:2::/64"
 * clientOf("::ffff:192.0.2.7"); // "192.0.2.7"
 */
export function clientOf(sent: string): string {
  const address = withoutPort(sent);
  const [plain = ""] = address.split("%");
  if (!isIPv6(plain)) return address;
  const written = canonical(plain);
  const [, high, low] = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(written) ?? [];
  if (high !== undefined && low !== undefined) return [...bytesOf(high), ...bytesOf(low)].join(".");
  const [head = "", tail = ""] = written.split("::");
  const [first, last] = [partsOf(head), partsOf(tail)];
  const zeros = Array<string>(8 - first.length - last.length).fill("0");
  return `${[...first, ...zeros, ...last].slice(0, 4).join(":")}::/64`;
}

/** The compressed, lower-case, all-hexadecimal form of an IPv6 address. */
function canonical(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

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
