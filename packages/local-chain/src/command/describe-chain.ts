import { storedGenesis, storedHead } from "../store/chain-records.ts";
import { accountOf } from "../store/keys.ts";
import { countOf } from "../store/tables.ts";
import type { Described } from "./described.ts";
import type { Inspected } from "./inspected.ts";
import { address, base64, blockName, shardName, time } from "./words.ts";

/** How many accounts are shown of all. */
const SHOWN = 10;

/** A chain from above: what it is made from, its head, its shards and some of its accounts. */
export function describeChain({ chain, tables }: Inspected): Described {
  const genesis = storedGenesis(tables);
  const { block, transactionCount } = chain.head();
  const { totals } = storedHead(tables);
  return {
    genesis: {
      ...Object.fromEntries(Object.entries(genesis.options).map(([name, value]) => [name, `${value}`])),
      zero_state: base64(genesis.masterchain.rootHash),
    },
    head: {
      block: blockName(block.id),
      root_hash: base64(block.id.rootHash),
      time: time(block.time),
      retained_since: time(chain.retainedSince()),
      transactions: `${transactionCount}`,
      fees_burnt: `${totals.burnt}`,
    },
    shards: Object.fromEntries(
      chain
        .shards()
        .map(({ id, endLt, transactionCount: transactions, queueSize }) => [
          shardName(id),
          `block ${id.seqno}, lt ${endLt}, ${transactions} transactions, ${queueSize} messages in its queue`,
        ]),
    ),
    accounts: { number: countOf(tables.accounts), first: Object.fromEntries(someAccounts({ chain, tables })) },
  };
}

function someAccounts({ chain, tables }: Inspected): [string, string][] {
  return Array.from(tables.accounts.getKeys({ limit: SHOWN }), (key) => {
    const account = accountOf(key);
    const state = chain.account(account);
    return [address(account), `${state?.status}, balance ${state?.balance}, last lt ${state?.last.lt}`];
  });
}
