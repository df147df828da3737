/**
 * Kinds of change, each as an edit of a copy of the contract, with the expected findings of both gates: the level
 * by `redocly diff` with our rules (`contract`), and what no longer compiles between the types of both (`types`).
 */
import type { Level } from "../../../src/versions/changesets.ts";
import { drop, type Edit, type Place, put } from "./edits.ts";

export interface ContractChange {
  kind: string;
  edits: readonly Edit[];
  contract: Level;
  /** The broken half and operation; empty if old programs compile and old answers fit. */
  types: readonly string[];
  /** Why only one gate finds a break. */
  disagreement?: string;
  /** The change is allowed although it breaks, because the old prefix is removed. */
  underNewPrefix?: true;
}

export const schema = (name: string, ...rest: Place): Place => ["components", "schemas", name, ...rest];
export const path = (id: string, ...rest: Place): Place => ["paths", `/api/v2/${id}`, ...rest];
export const json = ["content", "application/json"] as const;
export const account = (...rest: Place): Place => schema("raw.fullAccountState", ...rest);
export const question = (...rest: Place): Place => schema("GetAddressInformationRequest", ...rest);
export const limit = (...rest: Place): Place => ["components", "parameters", "limit", ...rest];
export const text = { type: "string", description: "Something new." };

/** Adds what the table changes and the bundle lacks. */
export const before: readonly Edit[] = [
  drop(schema("AccountState", "x-extensible-enum")),
  put(schema("AccountState", "enum"), ["uninitialized", "active", "frozen"]),
  put(question("properties", "finality"), { ...text, enum: ["pending", "final"] }),
  put(schema("FrozenHash", "type"), ["string", "null"]),
  put(path("getConsensusBlock", "post", "requestBody", "required"), false),
];
