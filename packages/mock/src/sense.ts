import { accountIn } from "./address.ts";
import type { Question } from "./exchange.ts";
import type { Members } from "./members.ts";

const addresses = ["address", "source", "destination"];

/** Ranges that a pattern of digits cannot say. */
const ranges: Record<string, readonly [least: bigint, most: bigint]> = {
  lt: [0n, 2n ** 63n - 1n],
  to_lt: [0n, 2n ** 63n - 1n],
  created_lt: [0n, 2n ** 63n - 1n],
  shard: [-(2n ** 63n), 2n ** 63n - 1n],
  workchain: [-(2n ** 31n), 2n ** 31n - 1n],
  seqno: [1n, 2n ** 32n - 1n],
  unixtime: [0n, 2n ** 32n - 1n],
  limit: [1n, 1000n],
};

const selectors = ["seqno", "lt", "unixtime"];

/** What is wrong with a request that its schema allows, each line beginning with the member that it is about. */
export function senseless({ query }: Question, members: Members): string[] {
  const empty = Object.keys(query).filter((name) => query[name] === "");
  if (empty.length > 0) return empty.map((name) => `${name}: empty; leave it out or give it a value`);
  const wrong = Object.entries(members).flatMap(([name, text]) => wrongIn(name, text));
  if ("hash" in members && !("lt" in members)) wrong.push("hash: lt is missing; lt and hash should be used together");
  if (query["lt"] !== undefined && !("hash" in members)) {
    wrong.push("lt: hash is missing; lt and hash should be used together");
  }
  return wrong;
}

function wrongIn(name: string, text: string): string[] {
  if (addresses.includes(name)) {
    const account = text === "" ? undefined : accountIn(text);
    return typeof account === "string" ? [`${name}: ${account}`] : [];
  }
  const range = ranges[name];
  if (range === undefined) return [];
  if (!/^-?\d{1,20}$/.test(text)) return [`${name}: ${text} is not an integer in decimal`];
  const value = BigInt(text);
  return value < range[0] || value > range[1] ? [`${name}: ${text} is not from ${range[0]} to ${range[1]}`] : [];
}

/**
 * The schema's complaints without those that only say that the request is not one of the other kinds of its operation: where a
 * block is looked up by seqno, that lt is missing helps nobody.
 */
export function toThePoint(complaints: string[], { body }: Question): string[] {
  const distinct = [...new Set(complaints)];
  if (!distinct.some((complaint) => complaint.endsWith("exactly one schema in oneOf"))) return distinct;
  const given = selectors.filter((name) => typeof body === "object" && body !== null && name in body);
  const ofKinds = /(required property|found) '(seqno|lt|unixtime)'$|exactly one schema in oneOf$/;
  const rest = distinct.filter((complaint) => !ofKinds.test(complaint));
  const [selector] = given;
  if (given.length === 1 && selector !== undefined) {
    const others = new RegExp(`property (${selectors.filter((name) => name !== selector).join("|")}) `);
    return rest.filter((complaint) => !others.test(complaint));
  }
  const found = given.length === 0 ? "none is given" : `${given.join(" and ")} are given`;
  return [...rest, `exactly one of seqno, lt and unixtime selects a block; ${found}`];
}
