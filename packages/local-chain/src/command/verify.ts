import { ChainFault } from "../verify/fault.ts";
import { type Verified, verifyChain } from "../verify/verify-chain.ts";
import { type ProgressBar, progressBar } from "./progress-bar.ts";

/** Verifies a chain, and says what was found: 0 where all is right, 1 where something is wrong. */
export async function verify({ directory }: { readonly directory: string }): Promise<number> {
  let bar: ProgressBar | undefined;
  try {
    const verified = await verifyChain(directory, (step, steps) => {
      bar ??= progressBar(process.stderr, steps);
      bar.show(step);
    });
    bar?.clear();
    console.log(lines(directory, verified).join("\n"));
    return 0;
  } catch (error) {
    bar?.clear();
    if (!(error instanceof ChainFault)) throw error;
    console.log(`${directory} is wrong: ${error.message}`);
    return 1;
  }
}

function lines(directory: string, { steps, blocks, transactions, accounts, value }: Verified): string[] {
  return [
    `${directory} is right: ${steps} steps, ${blocks} blocks, ${transactions} transactions, ${accounts} accounts`,
    `value: ${value.genesis} at genesis + ${value.minted} minted - ${value.burnt} burnt = ${value.balances} in balances + ${value.inFlight} in flight`,
  ];
}
