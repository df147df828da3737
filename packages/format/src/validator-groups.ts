/** Groups of validators at once, by a synchronous SHA-512, which browsers do not have: code for them runs the computations itself. */
import { sha512 } from "#sha512";
import type { Cell } from "./cells/cell.ts";
import { type Hashing, masterchainValidators, type ValidatorGroup } from "./validators.ts";

/** Runs a computation at once. */
export function hashNow<Result>(hashing: Hashing<Result>): Result {
  let step = hashing.next();
  while (!step.done) step = hashing.next(sha512(step.value));
  return step.value;
}

/**
 * The validators that sign the masterchain's blocks of a catchain, see `masterchainValidators`.
 *
 * @throws CellError if there are no validators, or in another form.
 *
 * @example
 * const { catchainSeqno, validatorListHash } = readBlockHeader(block);
 * selectMasterchainValidators(config, catchainSeqno).listHash === validatorListHash; // the block names its validators by this hash
 */
export function selectMasterchainValidators(config: Cell, catchainSeqno: number): ValidatorGroup {
  return hashNow(masterchainValidators(config, catchainSeqno));
}
