import { ChainStoreError } from "@chain-query/chain-store";
import { type BlockId, blockName, isSameShard } from "@chain-query/format/identifiers";
import { chainFileToWrite, lockForWriting } from "./chain-folder.ts";
import type { BlockCommit, ChainCommit, ChainStoreWriter } from "./commit.ts";
import { padLmdbFile } from "./lmdb-file.ts";
import { headRecord, type StoredHead } from "./records.ts";
import { HEAD, knownHeader, storeContents, storedGenesis, storedHead } from "./store-contents.ts";
import { reasonOf } from "./store-error.ts";
import { openTables, type Tables } from "./tables.ts";
import { cellKeeper, putStep } from "./write-step.ts";

/**
 * Opens the store of a chain for the one process that writes it.
 *
 * @throws ChainStoreError if the folder holds no chain, one of another version or a damaged one, or if another process writes in it.
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

  const commit = (steps: readonly ChainCommit[]): void => {
    if (state !== "open") throw new ChainStoreError(NOT_OPEN[state]);
    checkLinks(
      head.tips.map((tip) => knownHeader(tables, genesis, tip, tip.seqno).id),
      steps,
    );
    const next = steps.reduce(headAfter, head);
    try {
      tables.root.transactionSync(() => {
        for (const step of steps) putStep(tables, step, keepCell);
        tables.meta.putSync(HEAD, headRecord.encode(next));
      });
    } catch (cause) {
      state = "failed";
      if (cause instanceof ChainStoreError) throw cause;
      throw new ChainStoreError(`step ${next.seqno} could not be written: ${reasonOf(cause)}`, { cause });
    }
    head = next;
    tryToPad(file);
  };

  return {
    ...storeContents(tables, genesis),
    get tips() {
      return head.tips.map((tip) => knownHeader(tables, genesis, tip, tip.seqno));
    },
    get totals() {
      return head.totals;
    },
    commit: async (...steps) => commit(steps),
    close: async () => {
      if (state === "closed") return;
      state = "closed";
      await tables.root.close();
      unlock();
    },
  };
}

/** Saves readers from waiting for the padding. The step is on disk already, so a failure here is not a failure of the step. */
function tryToPad(file: string): void {
  try {
    padLmdbFile(file);
  } catch {
    // The next commit tries again, and so does the next process that opens the chain.
  }
}

const NOT_OPEN = {
  failed: "a step could not be written, so no further one is accepted; open the chain again",
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

/** Throws if a step does not follow the stored blocks: a bug of the producer that readers would not notice. */
function checkLinks(stored: readonly BlockId[], steps: readonly ChainCommit[]): void {
  const tips = [...stored];
  for (const block of steps.flatMap(({ shards, masterchain }) => [...shards, masterchain])) {
    const at = tips.findIndex((tip) => isSameShard(tip, block.id));
    const tip = tips[at];
    if (!tip || !follows(block, tip))
      throw new Error(
        `block ${blockName(block.id)} does not follow ${tip ? `block ${blockName(tip)}` : "any block of the chain"}`,
      );
    tips[at] = block.id;
  }
}

function follows({ id, previous }: BlockCommit, tip: BlockId): boolean {
  return id.seqno === tip.seqno + 1 && previous.seqno === tip.seqno && Buffer.compare(previous.rootHash, tip.rootHash) === 0;
}
