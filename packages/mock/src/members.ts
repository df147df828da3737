import { accountIn } from "./address.ts";
import type { Question } from "./exchange.ts";

/**
 * What a request says, by the names of its members, each in one spelling: accounts as `workchain:hash`, hashes in hexadecimal,
 * integers in decimal. What cannot be read stays as it was sent, and what only repeats a default is left out.
 */
export type Members = Readonly<Record<string, string>>;

const integers = ["seqno", "lt", "to_lt", "created_lt", "unixtime", "workchain", "shard", "limit"];

// A map, because a caller may send a member of any name, such as that of a method.
const spellings = new Map<string, (text: string) => string>([
  ["address", account],
  ["source", account],
  ["destination", account],
  ["hash", (text) => (text.length === 44 ? Buffer.from(text, "base64").toString("hex") : text.toLowerCase())],
  ...integers.map((name) => [name, integer] as const),
]);

const defaults: Members = { limit: "10", to_lt: "0", archival: "false" };

/** Reads what a request says from its query and its body, which are never both in use. */
export function membersOf({ query, body }: Pick<Question, "query" | "body">): Members {
  const given: Record<string, unknown> = typeof body === "object" && body !== null ? { ...query, ...body } : query;
  const members: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    const text = textOf(value);
    const spelt = spellings.get(name)?.(text) ?? text;
    if (spelt !== defaults[name]) members[name] = spelt;
  }
  return members;
}

function textOf(value: unknown): string {
  // As text, a number would have its last digits rounded.
  if (Number.isInteger(value)) return String(BigInt(Number(value)));
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function account(text: string): string {
  const found = accountIn(text);
  return typeof found === "string" ? text : `${found.workchain}:${found.hash}`;
}

function integer(text: string): string {
  return /^-?\d{1,20}$/.test(text) ? String(BigInt(text)) : text;
}
