import { blockName, isSameShard, shardName } from "@chain-query/format/identifiers";
import { type BlockHeader, type BlockId, headerRecord } from "@chain-query/format/store";
import { type Database, query } from "../client.ts";
import type { StoredHead } from "../head-record.ts";
import type { StoredHistory } from "../history-row.ts";
import type { IndexedChain } from "../types.ts";
import { must, mustEqual, naming, RowStream } from "./rows.ts";

const BLOCKS_PAGE = `SELECT workchain, shard, seqno, end_lt, time, mc_seqno, record FROM blocks
  WHERE mc_seqno <= $1 AND (workchain, shard, seqno) > ($3, $4, $5) ORDER BY workchain, shard, seqno LIMIT $2`;
const READ_BLOCK = "SELECT record FROM blocks WHERE workchain = $1 AND shard = $2 AND seqno = $3";

interface BlockRow {
  readonly workchain: number;
  readonly shard: bigint;
  readonly seqno: number;
  readonly end_lt: bigint;
  readonly time: bigint;
  readonly mc_seqno: number;
  readonly record: Buffer;
}

/** The index whose blocks are checked. */
interface VerifiedChain {
  readonly chain: IndexedChain;
  /** The head. */
  readonly seqno: number;
  readonly head: StoredHead;
  readonly history: StoredHistory;
}

/**
 * Checks every block against the one before it, and the newest ones against the head.
 *
 * @param transactions - Numbers of transactions by masterchain block. Subtracts the numbers that the blocks state.
 * @returns The number of blocks.
 */
export async function verifyBlocks(sql: Database, index: VerifiedChain, transactions: Int32Array): Promise<number> {
  const { chain, seqno, head, history } = index;
  const rows = new RowStream<BlockRow & Record<string, unknown>>(
    sql,
    BLOCKS_PAGE,
    seqno,
    [-(2 ** 31), -(2n ** 63n), -1],
    (row) => [row.workchain, row.shard, row.seqno],
  );
  let before: BlockHeader | undefined;
  let blocks = 0;
  const newest = new Map(history.tips.map((tip) => [shardName(tip.id), tip]));
  for (let row = await rows.peek(); row; row = await rows.peek()) {
    const header = await checkedHeader(row);
    await checkPrevious(sql, index, before, header);
    if (isSameShard(header.id, chain.masterchain))
      mustEqual(header.masterchainSeqno, header.id.seqno, () => `masterchain seqno of block ${blockName(header.id)}`);
    const step = header.masterchainSeqno;
    must(step >= history.beginsAt, () => `block ${blockName(header.id)} is of step ${step}, before the index begins`);
    transactions[step] = (transactions[step] ?? 0) - header.transactionCount;
    newest.set(shardName(header.id), header);
    before = header;
    blocks += 1;
    rows.take();
  }
  for (const tip of head.shards) checkTip(tip, newest.get(shardName(tip.id)));
  mustEqual(head.shards[0]?.id.seqno, seqno, () => "seqno of the masterchain's newest block at the head");
  return blocks;
}

function checkedHeader({ record, ...row }: BlockRow): Promise<BlockHeader> {
  const name = (): string => `block ${blockName(row)}`;
  return naming(name, () => {
    const header = headerRecord.decode(record);
    mustEqual(header.id.workchain, row.workchain, () => `workchain in the record of ${name()}`);
    mustEqual(header.id.shard, row.shard, () => `shard in the record of ${name()}`);
    mustEqual(header.id.seqno, row.seqno, () => `seqno in the record of ${name()}`);
    mustEqual(header.endLt, row.end_lt, () => `end lt in the record of ${name()}`);
    mustEqual(BigInt(header.time), row.time, () => `time in the record of ${name()}`);
    mustEqual(header.masterchainSeqno, row.mc_seqno, () => `masterchain seqno in the record of ${name()}`);
    must(header.startLt < header.endLt, () => `${name()} ends at lt ${header.endLt}, not after its start`);
    return header;
  });
}

async function checkPrevious(
  sql: Database,
  { chain, history }: VerifiedChain,
  neighbour: BlockHeader | undefined,
  { id, previous, ...header }: BlockHeader,
): Promise<void> {
  const name = (): string => `block ${blockName(id)}`;
  if (previous.seqno === 0) {
    const zeroState = [chain.masterchain, ...chain.shards].find((shard) => isSameShard(shard, previous));
    must(zeroState !== undefined, () => `the zero state before ${name()} is missing`);
    checkId(previous, zeroState, () => `zero state before ${name()}`);
    return;
  }
  const isNeighbour = neighbour && isSameShard(neighbour.id, previous) && neighbour.id.seqno === previous.seqno;
  const tip = history.tips.find((one) => isSameShard(one.id, previous) && one.id.seqno === previous.seqno);
  const before = isNeighbour ? neighbour : (tip ?? (await readBlock(sql, previous)));
  must(before !== undefined, () => `block ${blockName(previous)}, before ${name()}, is missing`);
  checkId(previous, before.id, () => `block before ${name()}`);
  must(header.startLt >= before.endLt, () => `${name()} starts at lt ${header.startLt}, before the end of the one before`);
  must(header.time >= before.time, () => `${name()} is older than the one before`);
  must(header.masterchainSeqno >= before.masterchainSeqno, () => `${name()} is in an earlier step than the one before`);
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

/** A shard without blocks has its zero state at the head. */
function checkTip(tip: BlockHeader, stored: BlockHeader | undefined): void {
  const name = (): string => `block ${blockName(tip.id)} at the head`;
  if (tip.id.seqno === 0 && stored === undefined) return;
  must(stored !== undefined, () => `${name()} is missing`);
  mustEqual(headerRecord.encode(tip), headerRecord.encode(stored), () => `record of ${name()}`);
}

function checkId(actual: BlockId, expected: BlockId, what: () => string): void {
  mustEqual(actual.seqno, expected.seqno, () => `number of the ${what()}`);
  mustEqual(actual.rootHash, expected.rootHash, () => `root hash of the ${what()}`);
  mustEqual(actual.fileHash, expected.fileHash, () => `file hash of the ${what()}`);
}
