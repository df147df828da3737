import type { ChainReader } from "../domain.ts";
import { knownHeader, storedGenesis, storedHead } from "../store/chain-records.ts";
import { blockKey } from "../store/keys.ts";
import { ChainStoreError } from "../store/store-error.ts";
import { plainBytes, type Tables } from "../store/tables.ts";
import { accountReader } from "./account-reader.ts";
import { blockFinder } from "./block-finder.ts";
import { isU32 } from "./number-range.ts";
import { transactionReader } from "./transaction-reader.ts";

/**
 * Reads from the tables of a store.
 *
 * @param close - Frees the tables once nothing more is read.
 */
export function chainReader(tables: Tables, close: () => Promise<void>): ChainReader {
  const genesis = storedGenesis(tables);
  const { account } = accountReader(tables, genesis);
  const { transaction, transactions, locate } = transactionReader(tables);
  const { block } = blockFinder(tables, genesis);

  const reader: ChainReader = {
    head: () => {
      const { seqno, transactionCount } = storedHead(tables);
      return { block: knownHeader(tables, genesis, genesis.masterchain, seqno), transactionCount };
    },
    genesis: () => ({ block: genesis.masterchain, time: genesis.time }),
    account,
    transactions,
    transaction,
    block,
    blockData: (id) => (isU32(id.seqno) ? plainBytes(tables.blockData.get(blockKey(id, id.seqno))) : undefined),
    shards: () => storedHead(tables).tips.map((tip) => knownHeader(tables, genesis, tip, tip.seqno)),
    locate,
    retainedSince: () => {
      const { seqno } = storedHead(tables);
      return knownHeader(tables, genesis, genesis.masterchain, seqno).time - genesis.retentionSeconds;
    },
    close,
  };
  return whileOpen(reader);
}

/** Reading from freed tables would end the process, so a closed reader refuses. */
function whileOpen(reader: ChainReader): ChainReader {
  let closing: Promise<void> | undefined;
  const checkOpen = (): void => {
    if (closing) throw new ChainStoreError("the chain is closed");
  };
  const guarded = Object.fromEntries(
    Object.entries(reader).map(([name, method]) => [
      name,
      (...args: unknown[]) => {
        checkOpen();
        return method(...args);
      },
    ]),
  );
  return {
    ...(guarded as unknown as ChainReader),
    *transactions(account, range) {
      checkOpen();
      for (const transaction of reader.transactions(account, range)) {
        yield transaction;
        checkOpen();
      }
    },
    close: () => {
      closing ??= reader.close();
      return closing;
    },
  };
}
