import { type ProgressBar, progressBar, type Terminal } from "@chain-query/command-line";
import { ChainFault } from "../verify/fault.ts";
import { type Verified, verifyChain } from "../verify/verify-chain.ts";
import type { VerifyCommand } from "./arguments.ts";

/** Verifies a chain; returns 1 if it has an error. */
export async function verify({ directory }: VerifyCommand, { stdout, stderr }: Terminal): Promise<number> {
  let bar: ProgressBar | undefined;
  try {
    const verified = await verifyChain(directory, (step, steps) => {
      bar ??= progressBar(stderr, steps);
      bar.show(step);
    });
    bar?.clear();
    stdout.write(summaryOf(directory, verified));
    return 0;
  } catch (error) {
    bar?.clear();
    if (!(error instanceof ChainFault)) throw error;
    stdout.write(`${directory} is wrong: ${error.message}\n`);
    return 1;
  }
}

function summaryOf(directory: string, { steps, blocks, transactions, accounts, value }: Verified): string {
  return (
    `${directory} is right: ${steps} steps, ${blocks} blocks, ${transactions} transactions, ${accounts} accounts\n` +
    `value: ${value.genesis} at genesis + ${value.minted} minted - ${value.burnt} burnt = ${value.balances} in balances + ${value.inFlight} in flight\n`
  );
}
