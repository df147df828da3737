/**
 * Key blocks: in which steps they come, and the configuration that they set.
 *
 * An external message to the account of the configuration replaces its data, which is the configuration. A masterchain block that changes it
 * is a key block. Blocks that refer to that block, or to a later one, are executed with the new configuration.
 */
import { decodeShardAccount } from "@chain-query/format/accounts";
import { type Cell, CellBuilder, isEqual } from "@chain-query/format/cells";
import { Trie } from "@chain-query/format/dictionaries";
import { changePublisher, type MasterchainExtra, PUBLIC_LIBRARIES } from "@chain-query/format/states";
import { CONFIG_ACCOUNT, gasPrices, suspendedUntil, withParameters } from "../genesis/configuration.ts";
import type { ChainOptions } from "../genesis/options.ts";
import { validatorParameters } from "../genesis/validators.ts";
import { externalMessage } from "../traffic/messages.ts";
import type { Collation } from "./collation.ts";

/** The price of gas in the basechain, and its limit for a transaction, in percent of those of genesis: one key block after another. */
const GAS_PERCENT = [100n, 150n, 80n, 125n] as const;

/** The configuration that the masterchain block of a step sets; undefined if it does not change. */
export function nextConfiguration(options: ChainOptions, seqno: number, config: Cell): Cell | undefined {
  const { keyBlocks } = options;
  if (keyBlocks === "none" || seqno % keyBlocks !== 0) return undefined;
  const count = seqno / keyBlocks;
  const percent = GAS_PERCENT[count % GAS_PERCENT.length];
  const until = count % 2 === 0 ? options.startTime + options.suspended : options.startTime;
  return withParameters(config, [
    [21, gasPrices("basechain", percent)],
    ...validatorParameters(options, count),
    ...suspendedUntil(config, until),
  ]);
}

/** The message that makes the account of the configuration set another one. */
export function configurationMessage(config: Cell): Cell {
  return externalMessage(CONFIG_ACCOUNT, new CellBuilder().ref(config).cell());
}

/** The configuration after a masterchain block, if that block changed it. */
export function configurationAfter({ touched }: Collation, { config, configAddress }: MasterchainExtra): Cell | undefined {
  const own = touched.find(({ account }) => isEqual(account.hash, configAddress));
  const next = own && decodeShardAccount(own.shardAccount).data?.refs[0];
  return next && !isEqual(next.hash, config.hash) ? next : undefined;
}

/** The public libraries of the masterchain: those that its accounts publish. */

/** The public libraries after a masterchain block, if an account changed them. */
export function librariesAfter({ touched }: Collation, { libraries }: MasterchainExtra): MasterchainExtra["libraries"] {
  const before = libraries ?? Trie.empty(PUBLIC_LIBRARIES);
  let after = before;
  for (const { account, before, shardAccount } of touched) {
    const [former, next] = [before, shardAccount].map((cell) => decodeShardAccount(cell).libraries);
    after = changePublisher(after, account.hash, former, next);
  }
  return after === before ? undefined : after;
}
