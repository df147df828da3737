/** The public libraries of the masterchain: those that its accounts publish. */
import { decodeShardAccount } from "@chain-query/format/accounts";
import { Trie } from "@chain-query/format/dictionaries";
import { changePublisher, type MasterchainExtra, PUBLIC_LIBRARIES } from "@chain-query/format/states";
import type { Collation } from "./collation.ts";

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
