import { CellError } from "@chain-query/format/cells";
import { OperationalError } from "@chain-query/format/error";
import { ChainStoreError, type Checks, storeChecks } from "@chain-query/format/store";
import { isLmdbError } from "../store/store-error.ts";

/** The first inconsistency that `verify` found, in one line: where it is, the value, and the expected value. */
export class ChainFault extends OperationalError {
  override readonly name = "ChainFault";
}

const checks = storeChecks((problem) => new ChainFault(problem));
/** Throws a ChainFault unless the condition holds. */
export const must: Checks["must"] = checks.must;
/** Throws a ChainFault unless two values are equal. */
export const mustEqual: Checks["mustEqual"] = checks.mustEqual;

/** Runs a check. Errors of reading damaged bytes become a ChainFault with the name of the object. */
export function naming<T>(what: string, check: () => T): T {
  try {
    return check();
  } catch (cause) {
    if (isLmdbError(cause) || UNREADABLE.some((kind) => cause instanceof kind)) {
      throw new ChainFault(`${what} cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause });
    }
    throw cause;
  }
}

const UNREADABLE = [CellError, ChainStoreError, RangeError, SyntaxError];
