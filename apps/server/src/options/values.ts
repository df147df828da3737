/** Texts of options as values. Each reader gives the value, or what is accepted instead. */
import { BlockList, isIP } from "node:net";

/** A value, or the words for what is accepted. */
export type Read<Value> = (text: string) => { readonly value: Value } | { readonly accepted: string };

/** A whole number within bounds. */
export function whole(least: number, most: number): Read<number> {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most ? { value } : { accepted: `a whole number from ${least} to ${most}` };
  };
}

/** Any text but the empty one. */
export function named(what: string): Read<string> {
  return (value) => (value === "" ? { accepted: what } : { value });
}

/** A text of a form. */
export function matching(form: RegExp, accepted: string): Read<string> {
  return (value) => (form.test(value) ? { value } : { accepted });
}

/** One of some words. */
export function oneOf<Word extends string>(...words: readonly Word[]): Read<Word> {
  return (text) => {
    const value = words.find((word) => word === text);
    return value === undefined ? { accepted: words.join(", ") } : { value };
  };
}

/** Yes or no, as a file or the environment says it. */
export const flag: Read<boolean> = (text) =>
  text === "true" || text === "false" ? { value: text === "true" } : { accepted: "true or false" };

const secondsIn: Readonly<Record<string, number>> = { "": 1, s: 1, m: 60, h: 3600, d: 86_400 };

/** A time span in seconds, such as 90, 30m, 48h or 2d. */
export const duration: Read<number> = (text) => {
  const [, digits, unit = ""] = /^(\d{1,9})([smhd]?)$/.exec(text) ?? [];
  const value = Number(digits) * (secondsIn[unit] ?? 1);
  return value > 0 ? { value } : { accepted: "a time of a second or more, such as 90, 30m, 48h or 2d" };
};

/** Addresses and networks, parted by commas. */
export const addresses: Read<readonly string[]> = (text) => {
  const value = text.split(",").map((one) => one.trim());
  const accepted = "IP addresses or networks such as 10.0.0.0/8, parted by commas";
  return value.every(isNetwork) ? { value } : { accepted };
};

function isNetwork(text: string): boolean {
  const [address = "", prefix, ...more] = text.split("/");
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  if (prefix === undefined) return true;
  try {
    new BlockList().addSubnet(address, /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1, version === 4 ? "ipv4" : "ipv6");
    return true;
  } catch {
    return false;
  }
}
