import type { BlockId } from "../domain.ts";
import { cellKeeper } from "./cell-keeper.ts";
import { HEAD, isSameShard, knownHeader, storedGenesis, storedHead } from "./chain-records.ts";
import type { BlockCommit, ChainCommit, ChainStoreWriter } from "./commit.ts";
import { chainFileToWrite } from "./folder.ts";
import { padLmdbFile } from "./lmdb-file.ts";
import type { StoredGenesis } from "./records/genesis-record.ts";
import { type StoredHead, writeHead } from "./records/head-record.ts";
import { putStep } from "./step.ts";
import { storeContents } from "./store-contents.ts";
import { ChainStoreError, reasonOf } from "./store-error.ts";
import { openTables, type Tables } from "./tables.ts";
import { lockForWriting } from "./writer-lock.ts";

/**
 * Opens the store of a chain for the one process that writes it.
 *
 * @throws ChainStoreError where the folder holds no chain, another version's or a damaged one, or where another process writes in it.
 */
export function openStore(directory: string): ChainStoreWriter {
  const file = chainFileToWrite(directory);
  const unlock = lockForWriting(directory);
  try {
    padLmdbFile(file);
    return storeWriter(openTables(file, "write"), file, unlock);
  } catch (cause) {
    unlock();
    throw cause;
  }
}

function storeWriter(tables: Tables, file: string, unlock: () => void): ChainStoreWriter {
  const genesis = storedGenesis(tables);
  const keepCell = cellKeeper(tables.cells);
  let head = storedHead(tables);
  let state: "open" | "failed" | "closed" = "open";

  const commit = (step: ChainCommit): void => {
    if (state !== "open") throw new ChainStoreError(REFUSALS[state]);
    checkLinks(tables, genesis, head, step);
    const next = headAfter(head, step);
    try {
      tables.root.transactionSync(() => {
        putStep(tables, step, keepCell);
        tables.meta.putSync(HEAD, writeHead(next));
      });
    } catch (cause) {
      state = "failed";
      if (cause instanceof ChainStoreError) throw cause;
      throw new ChainStoreError(`step ${next.seqno} could not be written: ${reasonOf(cause)}`, { cause });
    }
    head = next;
    fillUpIfPossible(file);
  };

  return {
    ...storeContents(tables, genesis),
    get tips() {
      return head.tips.map((tip) => knownHeader(tables, genesis, tip, tip.seqno));
    },
    get totals() {
      return head.totals;
    },
    commit: async (step) => commit(step),
    close: async () => {
      if (state === "closed") return;
      state = "closed";
      await tables.root.close();
      unlock();
    },
  };
}

/** Readers that begin want a file as long as it says. The step is on disk in any case, so that a failure is not the step's. */
function fillUpIfPossible(file: string): void {
  try {
    padLmdbFile(file);
  } catch {
    // The next commit tries again, and so does whoever opens the chain.
  }
}

const REFUSALS = {
  failed: "the chain takes no further step, because one could not be written; open it again",
  closed: "the chain is closed",
} as const;

function headAfter(head: StoredHead, { masterchain, shards, totals }: ChainCommit): StoredHead {
  const blocks = [...shards, masterchain];
  const newest = (tip: StoredHead["tips"][number]) => blocks.filter(({ id }) => isSameShard(id, tip)).at(-1)?.id ?? tip;
  const added = blocks.reduce((sum, { transactions }) => sum + transactions.length, 0);
  return {
    seqno: masterchain.id.seqno,
    transactionCount: head.transactionCount + BigInt(added),
    totals,
    tips: head.tips.map(newest).map(({ workchain, shard, seqno }) => ({ workchain, shard, seqno })),
  };
}

/** A step that does not follow what the store holds is the producer's mistake, and would be found by nobody later. */
function checkLinks(tables: Tables, genesis: StoredGenesis, head: StoredHead, step: ChainCommit): void {
  const tips = head.tips.map((tip): BlockId => knownHeader(tables, genesis, tip, tip.seqno).id);
  for (const block of [...step.shards, step.masterchain]) {
    const at = tips.findIndex((tip) => isSameShard(tip, block.id));
    const tip = tips[at];
    if (!tip || !follows(block, tip))
      throw new Error(`${nameOf(block.id)} does not follow ${tip ? nameOf(tip) : "any shard of the chain"}`);
    tips[at] = block.id;
  }
}

function follows({ id, previous }: BlockCommit, tip: BlockId): boolean {
  return id.seqno === tip.seqno + 1 && previous.seqno === tip.seqno && Buffer.compare(previous.rootHash, tip.rootHash) === 0;
}

function nameOf({ workchain, shard, seqno }: BlockId): string {
  return `block (${workchain},${shard},${seqno})`;
}
