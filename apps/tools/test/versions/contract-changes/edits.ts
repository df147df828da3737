/**
 * Kinds of change, each as edits of a copy of the contract, with the expected findings of both gates: the level that `redocly diff` finds
 * with our rules (`contract`), and the operations that no longer compile between the types of both (`types`).
 */
import type { Level } from "../../../src/versions/changesets.ts";

/** Any object of a bundle. */
export interface Json {
  [member: string]: unknown;
}

/** A list of keys. */
export type Place = readonly (string | number)[];
export type Edit = (contract: Json) => void;

export interface ContractChange {
  kind: string;
  edits: readonly Edit[];
  contract: Level;
  /** The broken half and operation; empty if old programs compile and old responses fit. */
  types: readonly string[];
  /** Why only one gate finds a break. */
  disagreement?: string;
  /** The change is allowed although it breaks, because the old prefix is removed. */
  underNewPrefix?: true;
}

/** Sets a value. */
export function put(place: Place, value: unknown): Edit {
  return (contract) => {
    holder(contract, place)[lastOf(place)] = value;
  };
}

/** Removes a member. */
export function drop(place: Place): Edit {
  return (contract) => {
    const from = holder(contract, place);
    if (!(lastOf(place) in from)) throw new Error(`${place.join(" ")}: no such member`);
    delete from[lastOf(place)];
  };
}

/** Appends to a list. */
export function push(place: Place, value: unknown): Edit {
  return (contract) => listAt(contract, place).push(value);
}

/** Removes a value, or the one at an index, from a list. */
export function pull(place: Place, value: string | number): Edit {
  return (contract) => {
    const list = listAt(contract, place);
    const index = typeof value === "number" ? value : list.indexOf(value);
    if (!(index in list)) throw new Error(`${place.join(" ")}: no ${value}`);
    list.splice(index, 1);
  };
}

/** Renames a member and keeps its position. */
export function rename(place: Place, name: string): Edit {
  return (contract) => {
    const from = holder(contract, place);
    const members = Object.entries(from);
    for (const [key] of members) delete from[key];
    for (const [key, value] of members) from[key === lastOf(place) ? name : key] = value;
  };
}

/** Copies a value to another place. */
export function copy(from: Place, to: Place): Edit {
  return (contract) => put(to, structuredClone(holder(contract, from)[lastOf(from)]))(contract);
}

/** Replaces a text at the beginning of every string and name. */
export function everywhere(text: string, other: string): Edit {
  return (contract) => {
    const whole: Json = JSON.parse(JSON.stringify(contract).replaceAll(`"${text}`, `"${other}`));
    for (const key of Object.keys(contract)) delete contract[key];
    Object.assign(contract, whole);
  };
}

function holder(contract: Json, place: Place): Json {
  return place.slice(0, -1).reduce<Json>((node, key) => {
    const next = node[key];
    if (typeof next !== "object" || next === null) throw new Error(`${place.join(" ")}: no ${key}`);
    return next as Json;
  }, contract);
}

function listAt(contract: Json, place: Place): unknown[] {
  const list = holder(contract, place)[lastOf(place)];
  if (!Array.isArray(list)) throw new Error(`${place.join(" ")}: not a list`);
  return list;
}

function lastOf(place: Place): string | number {
  return place.at(-1) ?? "";
}

export const schema = (name: string, ...rest: Place): Place => ["components", "schemas", name, ...rest];
export const path = (id: string, ...rest: Place): Place => ["paths", `/api/v2/${id}`, ...rest];
export const json = ["content", "application/json"] as const;
export const account = (...rest: Place): Place => schema("raw.fullAccountState", ...rest);
export const question = (...rest: Place): Place => schema("GetAddressInformationRequest", ...rest);
export const limit = (...rest: Place): Place => path("getTransactionsStd", "get", "parameters", 1, ...rest);
export const text = { type: "string", description: "Something new." };

/** Adds the members that changes of the table need and the bundle lacks. */
export const before: readonly Edit[] = [
  drop(schema("AccountState", "x-extensible-enum")),
  put(schema("AccountState", "enum"), ["uninitialized", "active", "frozen"]),
  put(question("properties", "finality"), { ...text, enum: ["pending", "final"] }),
  put(schema("FrozenHash", "type"), ["string", "null"]),
  put(path("getConsensusBlock", "post", "requestBody", "required"), false),
];
