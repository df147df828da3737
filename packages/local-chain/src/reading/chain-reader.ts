import { ChainStoreError } from "@chain-query/chain-store";
import type { ChainReader } from "../domain.ts";
import { chainFileToRead } from "../store/chain-folder.ts";
import { blockKey, isU32 } from "../store/keys.ts";
import { knownHeader, storedGenesis, storedHead } from "../store/store-contents.ts";
import { readError } from "../store/store-error.ts";
import { openTables, plainBytes, type Tables } from "../store/tables.ts";
import { accountReader } from "./account-reader.ts";
import { blockFinder } from "./block-finder.ts";
import { stateReader } from "./state-reader.ts";
import { transactionReader } from "./transaction-reader.ts";

/**
 * Opens a chain for reading. Any number of processes can read a chain, also while one writes it.
 *
 * @param directory - A folder that `createChain` or `chain-query-local-chain init` made.
 * @returns The reader; `close` it when done.
 * @throws ChainStoreError if the folder holds no chain, one of another version or a damaged one.
 *
 * @example
 * const chain = openChain("my-chain");
 * console.log(chain.head().block.id.seqno);
 * await chain.close();
 */
export function openChain(directory: string): ChainReader {
  const tables = openTables(chainFileToRead(directory), "read");
  return chainReader(tables, () => tables.root.close());
}

/** @param close - Closes the tables. */
export function chainReader(tables: Tables, close: () => Promise<void>): ChainReader {
  const genesis = storedGenesis(tables);
  const { account } = accountReader(tables, genesis);
  const { transaction, transactions, locate } = transactionReader(tables);
  const { block } = blockFinder(tables, genesis);
  const { state } = stateReader(tables, genesis);

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
    state,
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

/**
 * Throws on calls after `close`, since LMDB ends the process if a closed environment is read, and turns errors of LMDB into a
 * `ChainStoreError`.
 */
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
        try {
          return method(...args);
        } catch (cause) {
          throw readError(cause);
        }
      },
    ]),
  );
  return {
    ...(guarded as unknown as ChainReader),
    *transactions(account, range) {
      checkOpen();
      const transactions = reader.transactions(account, range);
      for (;;) {
        const next = nextOf(transactions);
        if (next.done) return;
        yield next.value;
        checkOpen();
      }
    },
    close: () => {
      closing ??= reader.close();
      return closing;
    },
  };
}

function nextOf<T>(iterator: Iterator<T, undefined>): IteratorResult<T, undefined> {
  try {
    return iterator.next();
  } catch (cause) {
    throw readError(cause);
  }
}
