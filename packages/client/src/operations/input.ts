/** Converts inputs: camelCase in TypeScript, snake_case on the wire, 64-bit integers without losing digits. */
import type { OperationId } from "@chain-query/types";
import { throwInvalidInput } from "#diagnostics";
import { matchesKind } from "../diagnostics/rules.ts";
import type { Inputs } from "./inputs.gen.ts";
import type { Int64, Kind } from "./int64.ts";

/** An operation in the generated table. */
export interface Operation {
  readonly method: "GET" | "POST";
  /** Default: `/api/v2/` and the operation. */
  readonly path?: string;
  readonly members: Readonly<Record<string, Kind>>;
  /** How many of the members are required: the first. */
  readonly required?: number;
  readonly oneOf?: readonly string[];
}

/** The path of an operation whose table entry has none. */
export const pathOf = (operation: string): string => `/api/v2/${operation}`;

/**
 * The input of an operation: the members of the contract in camelCase.
 *
 * @example
 * ```ts
 * const input: InputOf<"tryLocateSourceTx"> = { source, destination, createdLt: 47_000_000_000_001n };
 * ```
 */
export type InputOf<Id extends OperationId> = Inputs[Id];

/**
 * Checks an input and writes it in wire form, in the order of the contract. Throws an `InvalidArgumentError` that names the member
 * and, if #diagnostics does, the accepted values and the passed value.
 */
export function toWire(
  operation: string,
  { members, required: left = 0, oneOf }: Operation,
  input: object | undefined,
): Record<string, unknown> {
  const given: Record<string, unknown> = { ...input };
  const wire: Record<string, unknown> = {};
  const throwInvalidMember = (name: string) => throwInvalidInput(operation, name, input, members);
  for (const name in given) if (!Object.hasOwn(members, name)) throwInvalidMember(name);
  for (const name in members) {
    const value = given[name];
    const kind = members[name] as Kind;
    if (left-- < 1 && value === undefined) continue;
    if (!matchesKind(kind, value)) throwInvalidMember(name);
    wire[name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)] =
      typeof kind === "string" ? value : kind[0] === "number" ? Number(value) : `${BigInt.asIntN(64, BigInt(value as Int64))}`;
  }
  const chosen = oneOf?.filter((name) => given[name] !== undefined);
  if (chosen && chosen.length !== 1) throwInvalidInput(operation, chosen.join(" and "), input, members, oneOf);
  return wire;
}

/** The URL of a deployment: removes the path of methods, which base URLs of JSON-RPC clients end with. */
export const deploymentOf = (baseUrl: string): string => baseUrl.replace(/(\/api\/v2)?(\/jsonRPC)?\/*$/i, "");
