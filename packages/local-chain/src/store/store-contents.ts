import type { BlockId } from "../domain.ts";
import { knownHeader, storedHead } from "./chain-records.ts";
import type { ChainStoreContents, ZeroState } from "./commit.ts";
import { accountKey, accountOf, blockKey, textKey } from "./keys.ts";
import type { StoredGenesis } from "./records/genesis-record.ts";
import { ChainStoreError } from "./store-error.ts";
import { plainBytes, type Tables } from "./tables.ts";

/** What is in the tables of a store, as a producer asks for it. */
export function storeContents(tables: Tables, genesis: StoredGenesis): ChainStoreContents {
  return {
    get tips() {
      return storedHead(tables).tips.map((tip) => knownHeader(tables, genesis, tip, tip.seqno));
    },
    get totals() {
      return storedHead(tables).totals;
    },
    genesis: {
      time: genesis.time,
      retentionSeconds: genesis.retentionSeconds,
      options: genesis.options,
      masterchain: zeroState(tables, genesis.masterchain),
      shards: genesis.shards.map((id) => zeroState(tables, id)),
    },
    account: (account) => tables.accounts.get(accountKey(account)),
    *accounts() {
      for (const { key, value } of tables.accounts.getRange()) yield { account: accountOf(key), boc: value };
    },
    producerRecord: (key) => tables.producer.get(textKey(key)),
    *producerRecords(prefix) {
      const start = textKey(prefix);
      for (const { key, value } of tables.producer.getRange(start.length > 0 ? { start } : {})) {
        const name = Buffer.from(key).toString("utf8");
        if (!name.startsWith(prefix)) return;
        yield [name, value] as const;
      }
    },
  };
}

function zeroState(tables: Tables, id: BlockId): ZeroState {
  const boc = plainBytes(tables.blockData.get(blockKey(id, 0)));
  if (!boc) throw new ChainStoreError(`the chain is damaged: the zero state of workchain ${id.workchain} is missing`);
  return { id, boc };
}
