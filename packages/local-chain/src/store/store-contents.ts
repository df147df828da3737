import { readBlockShards } from "@chain-query/format/blocks";
import { Cell, hex, readBoc, toBinaryString } from "@chain-query/format/cells";
import {
  accountName,
  type BlockId,
  blockName,
  containsAccount,
  isSameShard,
  MASTERCHAIN,
  type ShardId,
  shardName,
} from "@chain-query/format/identifiers";
import { readShardTops, type ShardTop } from "@chain-query/format/states";
import {
  accountKey,
  accountOf,
  type BlockHeader,
  ChainStoreError,
  cellRecord,
  headerRecord,
  type ShallowCell,
  zeroStateHeader,
} from "@chain-query/format/store";
import type { ChainStoreContents } from "./commit.ts";
import { blockKey, genesisRecord, headRecord, type StoredGenesis, type StoredHead, textKey } from "./records.ts";
import type { Table, Tables } from "./tables.ts";

/** Keys in the table "meta". */
export const HEAD: Buffer = textKey("head");
export const GENESIS: Buffer = textKey("genesis");

export function storedHead(tables: Tables): StoredHead {
  return headRecord.decode(existing(tables.meta.get(HEAD), "the head"));
}

/** The head with the header of its masterchain block. */
interface HeadWithHeader extends StoredHead {
  readonly header: BlockHeader;
}

/** Reads the head, and decodes it again only if its record has changed. */
export function headReader(tables: Tables, genesis: StoredGenesis): () => HeadWithHeader {
  let last: { readonly record: Buffer; readonly head: HeadWithHeader } | undefined;
  return () => {
    const record = existing(tables.meta.get(HEAD), "the head");
    if (last?.record.equals(record)) return last.head;
    const head = headRecord.decode(record);
    const header = knownHeader(tables, genesis, genesis.masterchain, head.seqno);
    last = { record: Buffer.from(record), head: { ...head, header } };
    return last.head;
  };
}

export function storedGenesis(tables: Tables): StoredGenesis {
  return genesisRecord.decode(existing(tables.meta.get(GENESIS), "the genesis"));
}

/**
 * The header of a block that another record refers to. Seqno 0 is the shard's zero state.
 *
 * @throws ChainStoreError if it is missing.
 */
export function knownHeader(tables: Tables, genesis: StoredGenesis, shard: ShardId, seqno: number): BlockHeader {
  if (seqno === 0) return zeroStateHeader(zeroStateOf(genesis, shard), genesis.time);
  const header = headerAt(tables, shard, seqno);
  if (!header) throw missing(`block ${blockName({ ...shard, seqno })}`);
  return header;
}

/** The header of a block; undefined if it does not exist. */
export function headerAt(tables: Tables, shard: ShardId, seqno: number): BlockHeader | undefined {
  const record = tables.blocks.get(blockKey(shard, seqno));
  return record && headerRecord.decode(record);
}

/** The bytes of a block that another record refers to. @throws ChainStoreError if they are missing. */
export function knownBlock(tables: Tables, shard: ShardId, seqno: number): Uint8Array {
  return existing(tables.blockData.get(blockKey(shard, seqno)), () => `block ${blockName({ ...shard, seqno })}`);
}

function zeroStateOf({ masterchain, shards }: StoredGenesis, shard: ShardId): BlockId {
  const id = [masterchain, ...shards].find((zeroState) => isSameShard(zeroState, shard));
  if (!id) throw missing(`the zero state of shard ${shardName(shard)}`);
  return id;
}

/** Finds bags of cells by the hash of their root. */
export function keptCells(cells: Table): (hash: Uint8Array) => Uint8Array {
  return (hash) => cellRecord.decode(existing(cells.get(hash), () => `cell ${hex(hash)}`));
}

/** The parts of a store that a producer needs to continue, read from LMDB on access. */
export function storeContents(tables: Tables, genesis: StoredGenesis): ChainStoreContents {
  const tops = new Map<number, readonly ShardTop[]>();
  const topsOf = (seqno: number): readonly ShardTop[] => {
    const found = tops.get(seqno) ?? readShardTops(readBlockShards(readBoc(knownBlock(tables, genesis.masterchain, seqno))));
    tops.set(seqno, found);
    return found;
  };
  return {
    get tips() {
      return storedHead(tables).tips.map((tip) => knownHeader(tables, genesis, tip, tip.seqno));
    },
    get burnt() {
      return storedHead(tables).burnt;
    },
    options: genesis.options,
    account: (account) => tables.accounts.get(accountKey(account)),
    *accounts() {
      for (const { key, value } of tables.accounts.getRange()) yield { account: accountOf(key), boc: value };
    },
    shardEndLt: ({ workchain, hash }, seqno) => {
      if (seqno === 0) return 0n;
      if (workchain === MASTERCHAIN.workchain) return knownHeader(tables, genesis, genesis.masterchain, seqno).endLt;
      const top = topsOf(seqno).find((shard) => containsAccount(shard, { workchain, hash }));
      if (!top) throw missing(`the shard of account ${accountName({ workchain, hash })} in masterchain block ${seqno}`);
      return top.block.endLt;
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

function existing(record: Uint8Array | undefined, what: string | (() => string)): Uint8Array {
  if (!record) throw missing(typeof what === "string" ? what : what());
  return record;
}

/** The error of a record that another one refers to. */
export function missing(what: string): ChainStoreError {
  return new ChainStoreError(`the chain is damaged: ${what} is missing`);
}

/** Builds the cell of an account from its record. */
export type CellOfRecord = (cell: ShallowCell) => Cell;

const MAX_PARSED_CELLS = 1_000;

/** Code that many accounts have is one cell in memory. */
export function cellOfRecord(tables: Tables): CellOfRecord {
  const kept = keptCells(tables.cells);
  const parsed = new Map<string, Cell>();

  const keptCell = (hash: Uint8Array): Cell => {
    const name = toBinaryString(hash);
    const known = parsed.get(name);
    if (known) return known;
    const cell = readBoc(kept(hash));
    if (parsed.size >= MAX_PARSED_CELLS) parsed.clear();
    parsed.set(name, cell);
    return cell;
  };

  return ({ bytes, bitLength, refs }) =>
    new Cell(
      bytes,
      bitLength,
      refs.map((ref) => ("kept" in ref ? keptCell(ref.kept) : readBoc(ref.boc))),
    );
}
