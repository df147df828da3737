import { type ProgressBar, progressBar, type Terminal } from "@chain-query/command-line";
import { ChainFault } from "../verify/compared-tables.ts";
import { verifyChain } from "../verify/verify-chain.ts";
import type { VerifyCommand } from "./arguments.ts";

/** Verifies a chain; returns 1 if it has an error. */
export async function verify({ directory }: VerifyCommand, { stdout, stderr }: Terminal): Promise<number> {
  let bar: ProgressBar | undefined;
  try {
    const { steps, blocks, transactions, accounts } = await verifyChain(directory, (step, of) => {
      bar ??= progressBar(stderr, of);
      bar.show(step);
    });
    bar?.clear();
    stdout.write(
      `${directory} is right: ${steps} steps, ${blocks} blocks, ${transactions} transactions, ${accounts} accounts\n`,
    );
    return 0;
  } catch (error) {
    bar?.clear();
    if (!(error instanceof ChainFault)) throw error;
    stdout.write(`${directory} is wrong: ${error.message}\n`);
    return 1;
  }
}
