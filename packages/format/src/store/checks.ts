import { hex, isEqual } from "../cells/index.ts";

type Value = number | bigint | boolean | string | Uint8Array | null | undefined;

/** Checks of what a store holds. */
export interface Checks {
  /** Throws unless the condition holds. */
  readonly must: (condition: boolean, problem: () => string) => asserts condition;
  /** Throws unless two values are equal. Arrays of bytes are compared by their bytes. */
  readonly mustEqual: (actual: Value, expected: Value, name: () => string) => void;
}

/** Checks that throw the error of a store. */
export function storeChecks(errorOf: (problem: string) => Error): Checks {
  const must: Checks["must"] = (condition, problem) => {
    if (!condition) throw errorOf(problem());
  };
  const mustEqual: Checks["mustEqual"] = (actual, expected, name) => {
    const isSame =
      actual instanceof Uint8Array && expected instanceof Uint8Array ? isEqual(actual, expected) : actual === expected;
    if (!isSame) throw errorOf(`${name()} is ${shown(actual)} and should be ${shown(expected)}`);
  };
  return { must, mustEqual };
}

function shown(value: Value): string {
  return value instanceof Uint8Array ? hex(value) || "empty" : `${value ?? "absent"}`;
}
