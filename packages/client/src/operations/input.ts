/** Converts inputs: camelCase in TypeScript, snake_case on the wire, 64-bit integers without losing digits. */
import type { OperationId, RequestOf } from "@chain-query/types";
import { check, type Int64, type Kind, refuse } from "./check.ts";
import type { operations } from "./operations.gen.ts";

/** An operation in the generated table. */
export interface Operation {
  readonly method: "get" | "post";
  /** Default: `/api/v2/` and the operation. */
  readonly path?: string;
  readonly members: Readonly<Record<string, Kind>>;
  readonly required?: readonly string[];
  readonly oneOf?: readonly string[];
}

/** The path of an operation whose table entry has none. */
export const pathOf = (operation: string): string => `/api/v2/${operation}`;

type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : Name;

type Members<Id extends OperationId> = (typeof operations)[Id]["members"];

/** A member that another alternative forbids stays forbidden. */
type Widened<Id extends OperationId, Name, Value> = [Value] extends [undefined]
  ? Value
  : Name extends keyof Members<Id>
    ? Members<Id>[Name] extends readonly ["decimal", ...unknown[]]
      ? Int64 | Exclude<Value, string | number>
      : Members<Id>[Name] extends readonly ["number", ...unknown[]]
        ? number | bigint | Exclude<Value, string>
        : Value
    : Value;

type CamelCased<Id extends OperationId, Wire> = Wire extends unknown
  ? { [Name in keyof Wire as CamelCase<Name>]: Widened<Id, CamelCase<Name>, Wire[Name]> }
  : never;

/**
 * The input of an operation: the members of the contract in camelCase.
 *
 * @example
 * ```ts
 * const input: InputOf<"tryLocateSourceTx"> = { source, destination, createdLt: 47_000_000_000_001n };
 * ```
 */
export type InputOf<Id extends OperationId> = CamelCased<Id, RequestOf<Id>>;

/** Checks an input and writes it in wire form. Throws an `InvalidArgumentError` that names the member. */
export function toWire(
  operation: string,
  { members, required, oneOf }: Operation,
  input: object | undefined,
): Record<string, unknown> {
  const checked = check(operation, input, members, required);
  const given = oneOf?.filter((name) => name in checked);
  if (given && given.length !== 1) {
    refuse(operation, `input must have exactly one of ${oneOf?.join(", ")}, got ${given.join(" and ") || "none"}`);
  }
  const wire: Record<string, unknown> = {};
  for (const name in checked) {
    const value = checked[name];
    const kind = members[name];
    const wireName = name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
    wire[wireName] =
      typeof kind !== "object"
        ? value
        : kind[0] === "number"
          ? Number(value)
          : String(BigInt.asIntN(64, BigInt(value as Int64)));
  }
  return wire;
}
