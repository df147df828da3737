/** Converts inputs: camelCase in TypeScript, snake_case on the wire, 64-bit integers without losing digits. */
import type { OperationId } from "@chain-query/types";
import { check, type Int64, type Kind, refuse } from "./check.ts";
import type { Inputs } from "./inputs.gen.ts";

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

/**
 * The input of an operation: the members of the contract in camelCase.
 *
 * @example
 * ```ts
 * const input: InputOf<"tryLocateSourceTx"> = { source, destination, createdLt: 47_000_000_000_001n };
 * ```
 */
export type InputOf<Id extends OperationId> = Inputs[Id];

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
