import type { ChainOptions } from "../genesis/options.ts";
import type { Population, Wallet } from "../genesis/population.ts";
import type { Counters } from "../production/network.ts";
import type { Random } from "./random.ts";
import type { SenderState } from "./sender.ts";

/** Somebody who is about to send something, and all that it can depend on. */
export interface Party {
  readonly options: ChainOptions;
  readonly people: Population;
  readonly counters: Counters;
  readonly random: Random;
  readonly sender: Wallet;
  readonly state: SenderState;
}
