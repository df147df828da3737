import { blockName, isSameShard } from "@chain-query/format/identifiers";
import { type BlockHeader, type BlockId, headerRecord } from "@chain-query/format/store";
import { type Database, query, type Row } from "../database/client.ts";
import type { HeadRow } from "../database/head-record.ts";
import type { StoredHistory } from "../database/history-row.ts";
import type { IndexedChain } from "../types.ts";
import { blockRow, TABLES } from "../writing/encode-steps.ts";
import { must, mustBe, mustEqual, naming, rowsOf } from "./rows.ts";

const READ_BLOCK = "SELECT record FROM blocks WHERE workchain = $1 AND shard = $2 AND seqno = $3";

interface BlockRow extends Row {
  readonly workchain: number;
  readonly shard: bigint;
  readonly seqno: number;
  readonly record: Buffer;
}

/** The index whose blocks are checked. */
interface VerifiedChain {
  readonly chain: IndexedChain;
  readonly head: HeadRow;
  readonly history: StoredHistory;
}

/**
 * Checks every block against the one before it, and the newest ones against the head.
 *
 * @param from - The first step.
 * @param found - Called for each block.
 */
export async function verifyBlocks(
  sql: Database,
  { chain, head, history }: VerifiedChain,
  from: number,
  found: (block: BlockHeader) => void,
): Promise<void> {
  const zeroStates = [chain.masterchain, ...chain.shards];
  const known = (id: BlockId): BlockId | undefined =>
    [...zeroStates, ...history.tips.map((tip) => tip.id)].find((one) => isSameShard(one, id) && one.seqno === id.seqno);
  let neighbour: BlockId | undefined;
  for await (const row of rowsOf<BlockRow>(sql, TABLES.blocks, [from, head.seqno])) {
    const name = (): string => `block ${blockName(row)}`;
    const header = await naming(name, () => headerRecord.decode(row.record));
    const { id, previous, masterchainSeqno } = header;
    mustBe(TABLES.blocks, row, blockRow(header), name);
    if (isSameShard(id, chain.masterchain)) mustEqual(masterchainSeqno, id.seqno, () => `masterchain seqno of ${name()}`);
    const isNext = neighbour && isSameShard(neighbour, previous) && neighbour.seqno === previous.seqno;
    const before = isNext ? neighbour : (known(previous) ?? (await readBlock(sql, previous))?.id);
    must(before !== undefined, () => `block ${blockName(previous)}, before ${name()}, is missing`);
    mustEqual(previous.rootHash, before.rootHash, () => `root hash of the block before ${name()}`);
    mustEqual(previous.fileHash, before.fileHash, () => `file hash of the block before ${name()}`);
    found(header);
    neighbour = id;
  }
  for (const tip of head.shards) {
    const name = (): string => `block ${blockName(tip.id)} at the head`;
    const stored = await readBlock(sql, tip.id);
    must(stored !== undefined || known(tip.id) !== undefined, () => `${name()} is missing`);
    if (stored) mustEqual(headerRecord.encode(tip), headerRecord.encode(stored), () => `record of ${name()}`);
  }
  mustEqual(head.shards[0]?.id.seqno, head.seqno, () => "seqno of the masterchain's newest block at the head");
}

async function readBlock(sql: Database, { workchain, shard, seqno }: BlockId): Promise<BlockHeader | undefined> {
  const [row] = await query<{ record: Buffer }>(sql, READ_BLOCK, [workchain, shard, seqno]);
  return (
    row &&
    naming(
      () => `block ${blockName({ workchain, shard, seqno })}`,
      () => headerRecord.decode(row.record),
    )
  );
}
