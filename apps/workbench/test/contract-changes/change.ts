/**
 * Kinds of change, each as an edit of a copy of the contract, with the verdict expected of both gates: what `redocly diff` with the
 * rules of ours rates the bundles (`contract`), and what the compiler finds broken between the types of both (`types`).
 */
import type { Level } from "../../src/changesets.ts";
import { type Edit, type Place, put } from "../contract-edits.ts";

export interface ContractChange {
  kind: string;
  edits: readonly Edit[];
  contract: Level;
  /** The half and the operation that no longer hold; empty where old programs compile and old answers fit. */
  types: readonly string[];
  /** Where one gate sees a break and the other does not: why. */
  disagreement?: string;
  /** That the change is allowed although it breaks, since the old prefix is gone with it. */
  underNewPrefix?: true;
}

export const schema = (name: string, ...rest: Place): Place => ["components", "schemas", name, ...rest];
export const path = (id: string, ...rest: Place): Place => ["paths", `/api/v2/${id}`, ...rest];
export const json = ["content", "application/json"] as const;
export const account = (...rest: Place): Place => schema("raw.fullAccountState", ...rest);
export const question = (...rest: Place): Place => schema("GetAddressInformationRequest", ...rest);
export const limit = (...rest: Place): Place => ["components", "parameters", "limit", ...rest];
export const text = { type: "string", description: "Something new." };

/** Makes the contract that the table changes: the bundle, with a few things that it happens to have none of. */
export const before: readonly Edit[] = [
  put(schema("AccountState", "enum"), ["uninitialized", "active", "frozen"]),
  put(question("properties", "finality"), { ...text, enum: ["pending", "final"] }),
  put(schema("FrozenHash", "type"), ["string", "null"]),
  put(path("getConsensusBlock", "post", "requestBody", "required"), false),
];
