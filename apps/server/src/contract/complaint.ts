/** What is wrong with a request, in words: the member, what stands there, what is accepted. */
import type { ErrorObject } from "ajv/dist/2020.js";
import { withoutKeys } from "../failure.ts";
import type { JsonObject, Operation } from "./bundle.ts";

const longestPreview = 60;
const mostComplaints = 5;

const address = "an address, workchain:64 hexadecimal digits or 48 characters of base64";
const logicalTime = "a logical time, an integer from 0 to 9223372036854775807 as decimal text";

const accepted: Readonly<Record<string, string>> = {
  address,
  source: address,
  destination: address,
  lt: logicalTime,
  to_lt: logicalTime,
  created_lt: logicalTime,
  hash: "64 hexadecimal or 44 base64 characters, which are 32 bytes",
  limit: "an integer from 1 to 1000",
  archival: "true or false",
  workchain: "a 32-bit integer such as -1 or 0, as a number or decimal text",
  shard: "a signed 64-bit integer as decimal text or a number",
  unixtime: "whole seconds since 1970 from 0 to 4294967295, as a number or decimal text",
};

const seqnoAsText = "an integer from 1 to 4294967295 as decimal text";
const seqnoAsEither = "an integer from 1 to 4294967295, as a number or decimal text";

/** An address of a source may be empty where the message comes from outside the chain; only one operation takes it so. */
const acceptedBy: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  getAddressInformation: { seqno: seqnoAsText },
  lookupBlock: {
    seqno: seqnoAsEither,
    lt: "a logical time, an integer from 0 to 9223372036854775807 as decimal text or a number",
  },
  tryLocateSourceTx: { source: `${address}, or empty for a message from outside` },
};

const selectors = ["seqno", "lt", "unixtime"];

/**
 * Puts the schema's errors into words. Several complaints are joined by semicolons.
 *
 * @param request - What was checked, after numbers and booleans were read from a query's text.
 */
export function complaint({ id, method, input }: Operation, request: unknown, errors: readonly ErrorObject[]): string {
  const where = method === "GET" ? "query" : "body";
  if (typeof request !== "object" || request === null || Array.isArray(request)) {
    const got = request === undefined ? "nothing was sent" : `got ${preview(request)}`;
    return `body: ${got}, expected a JSON object such as ${bodyHint(id)}`;
  }
  const members = request as JsonObject;
  const known = knownMembers(id, input, errors);
  const lines = id === "lookupBlock" ? selectorComplaints(members, where) : [];
  const relevant = errors.filter((error) => !isAboutOtherSelectors(id, members, error));
  for (const error of relevant) lines.push(...line(id, members, error, where, known));
  const distinct = [...new Set(lines)];
  return distinct.slice(0, mostComplaints).join("; ") || "the request is not one that the contract allows";
}

function bodyHint(id: string): string {
  if (id === "lookupBlock") return '{"workchain":-1,"shard":"-9223372036854775808","seqno":1}';
  if (id === "getAddressInformation") return '{"address":"..."}';
  return id === "tryLocateSourceTx" ? '{"source":"...","destination":"...","created_lt":"..."}' : "{}";
}

function line(id: string, members: JsonObject, error: ErrorObject, where: string, known: readonly string[]): string[] {
  const { keyword, params, instancePath } = error;
  if (keyword === "required") {
    const member = String(params["missingProperty"]);
    return [`${member}: missing in the ${where}; expected ${acceptedIn(id, member)}`];
  }
  if (keyword === "additionalProperties") {
    const member = String(params["additionalProperty"]);
    const takes = known.length === 0 ? "no members are accepted" : `accepted are ${known.join(", ")}`;
    return [`${preview(member)} is not a member of this request; ${takes}`];
  }
  const [, member = ""] = instancePath.split("/");
  if (member === "") return [];
  const value = members[member];
  if (where === "query" && Array.isArray(value)) return [`${member}: given ${value.length} times, expected once`];
  return [`${member}: got ${preview(value)}, expected ${acceptedIn(id, member)}`];
}

function acceptedIn(id: string, member: string): string {
  return acceptedBy[id]?.[member] ?? accepted[member] ?? "a value as the contract describes it";
}

/** The three kinds of a look-up complain of each other's members; what counts is the one that was chosen (D-11). */
function selectorComplaints(members: JsonObject, where: string): string[] {
  const given = selectors.filter((name) => Object.hasOwn(members, name));
  if (given.length === 1) return [];
  const got = given.length === 0 ? "none is given" : `${given.join(" and ")} are given`;
  return [`exactly one of seqno, lt and unixtime selects a block; ${got} in the ${where}`];
}

function isAboutOtherSelectors(id: string, members: JsonObject, { params }: ErrorObject): boolean {
  const member: unknown = params["missingProperty"] ?? params["additionalProperty"];
  if (id !== "lookupBlock" || typeof member !== "string") return false;
  const given = selectors.filter((name) => Object.hasOwn(members, name));
  return selectors.includes(member) && (given.length !== 1 || given[0] !== member || params["missingProperty"] === undefined);
}

function knownMembers(id: string, input: JsonObject, errors: readonly ErrorObject[]): string[] {
  if (id === "lookupBlock") return ["workchain", "shard", ...selectors];
  const schema = errors.find(({ keyword }) => keyword === "additionalProperties")?.parentSchema ?? input;
  return Object.keys((schema["properties"] ?? {}) as object);
}

/** A value as JSON, not more of it than tells which one it is. What has parts is only named: it may be deep without end. */
function preview(value: unknown): string {
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "an object";
  // A key that was put in the wrong place is not handed on.
  const text = withoutKeys(JSON.stringify(value) ?? "nothing");
  return text.length <= longestPreview ? text : `${text.slice(0, longestPreview)}…`;
}
