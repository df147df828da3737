import { hex } from "@chain-query/format/cells";
import { LiteError } from "@chain-query/lite-protocol/error";
import { expect } from "vitest";
import { checkAccountState } from "../../src/proof/account.ts";
import { recordedAccount } from "./recorded-account.ts";

/** Flips bits of a recorded answer, one at a time: it must be refused, or read the same. */
export function flipBits(text: string, times: number): void {
  const { asked, answer } = recordedAccount(text);
  const truth = summary(checkAccountState(asked, answer));
  const random = generator(1);
  let refused = 0;
  for (let i = 0; i < times; i++) {
    const name = (["shardProof", "proof", "state"] as const)[random(3)] as "proof";
    const changed = Uint8Array.from(answer[name]);
    const bit = random(changed.length * 8);
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (0x80 >> (bit & 7));
    try {
      expect(summary(checkAccountState(asked, { ...answer, [name]: changed })), `bit ${bit} of ${name}`).toEqual(truth);
    } catch (error) {
      if (!(error instanceof LiteError && error.kind === "proof")) throw error;
      refused += 1;
    }
  }
  expect(refused).toBeGreaterThan(0.95 * times);
}

/** All that a caller gets. */
function summary({ account, cell, last, block, shardBlock }: ReturnType<typeof checkAccountState>) {
  const data = { status: account?.status, balance: account?.balance, hash: cell && hex(cell.hash) };
  const code = account?.code && hex(account.code.hash);
  return { ...data, code, last: { lt: last.lt, hash: hex(last.hash) }, block, shardBlock };
}

/** Integers below a limit, the same for the same seed. */
function generator(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
