import { headerRecord } from "@chain-query/format/store";
import { type Queryable, query } from "../database/client.ts";
import { begun, genesisHead, headRowRecord, readChain, readHead } from "../database/head-record.ts";
import { BEFORE_FIRST_CHANGE, readHistory } from "../database/history-row.ts";
import { LOCK_HISTORY } from "../database/statements.ts";
import { storeError } from "../database/store-error.ts";
import { openTransactions } from "../database/transactions.ts";
import { requireSchema } from "../migrate.ts";
import { type PostgresConnection, PostgresStoreError } from "../types.ts";
import { LEASE_SECONDS } from "./lease.ts";
import { tipsOf } from "./tips.ts";

/** Other processes wait for the end of the transaction to take or renew a lease. */
const LOCK_LEASES = "LOCK TABLE indexer_lease IN SHARE ROW EXCLUSIVE MODE";
const READ_HELD = `SELECT holder FROM indexer_lease WHERE heartbeat >= now() - ${LEASE_SECONDS} * INTERVAL '1 second' LIMIT 1`;
/** A process that was stopped may continue with its old lease, but no longer commits. */
const END_LEASES = `WITH ended AS (UPDATE indexer_lease SET epoch = epoch + 1 RETURNING name, epoch)
  UPDATE history SET epoch = ended.epoch FROM ended WHERE id = 1 AND ended.name = 'history'`;
/** The newest block of each shard that ever existed. Jumps from one shard to the next in the index. $1 the last step. */
const READ_NEWEST_BLOCKS = `WITH RECURSIVE shards AS (
    (SELECT workchain, shard FROM blocks ORDER BY workchain, shard LIMIT 1)
    UNION ALL SELECT next.workchain, next.shard FROM shards CROSS JOIN LATERAL (SELECT workchain, shard FROM blocks
      WHERE (workchain, shard) > (shards.workchain, shards.shard) ORDER BY workchain, shard LIMIT 1) AS next)
  SELECT record FROM shards CROSS JOIN LATERAL (SELECT record FROM blocks WHERE workchain = shards.workchain
    AND shard = shards.shard AND mc_seqno <= $1 ORDER BY seqno DESC LIMIT 1) AS newest`;
const DELETE_TRANSACTIONS = "DELETE FROM transactions WHERE mc_seqno > $1";
const DELETE_VERSIONS = "DELETE FROM account_versions WHERE mc_seqno > $1";
const DELETE_BLOCKS = "DELETE FROM blocks WHERE mc_seqno > $1";
/** States before first changes that were removed: no transaction verifies them now. */
const DELETE_FIRST_STATES = `DELETE FROM account_base WHERE mc_seqno = ${BEFORE_FIRST_CHANGE}
  AND NOT EXISTS (SELECT FROM account_versions AS version WHERE version.account = account_base.account)`;
/** The removed transactions may be of steps that were added before the index: from now on, the head counts all. */
const COUNT_IN_HEAD = "UPDATE history SET transactions = 0 WHERE id = 1";
const SET_HEAD = "UPDATE head SET seqno = $1, record = $2 WHERE id = 1";

/**
 * Drops all steps after one, such as those of a wrong chain, in one transaction, while no process writes the index. Instances that read
 * it must be restarted. Cells of dropped steps stay: they have no step. Reads the blocks and the partitions of these steps completely.
 *
 * @throws RangeError if the index does not have the step; PostgresStoreError of kind `busy` if a process has a lease.
 *
 * @example
 * const { steps } = await dropAfter({ url: "postgres://indexer@localhost/chain" }, 1_000_000);
 */
export async function dropAfter(given: PostgresConnection, last: number): Promise<Record<"steps" | "transactions", number>> {
  const connection = { applicationName: "chain-query drop", ...given };
  const transactions = openTransactions(connection, "migration");
  try {
    return await transactions.run((tx) => dropSteps(tx, last, connection));
  } catch (cause) {
    throw storeError(cause, connection);
  } finally {
    await transactions.end();
  }
}

async function dropSteps(
  tx: Queryable,
  last: number,
  connection: PostgresConnection,
): Promise<Record<"steps" | "transactions", number>> {
  await requireSchema(tx, connection);
  // PostgreSQL would go on with the statement of a process that was killed.
  await tx.unsafe("SET LOCAL client_connection_check_interval = 1000");
  await query(tx, LOCK_LEASES);
  const [held] = await query<{ holder: string }>(tx, READ_HELD);
  if (held) throw new PostgresStoreError("busy", `${held.holder} writes this index`);
  await query(tx, END_LEASES);
  const { firstSeqno: first, tips, transactions: counted } = await readHistory(tx, LOCK_HISTORY);
  const before = begun(await readHead(tx, " FOR UPDATE"));
  const chain = begun(await readChain(tx));
  const head = before.seqno;
  if (!(Number.isInteger(last) && last >= first && last <= head)) {
    const lowest = first === 0 ? "0, the zero state" : `${first}, the first that the index has`;
    throw new RangeError(`the step must be from ${lowest}, to ${head}, the head, got ${last}`);
  }
  const newest = await query<{ record: Buffer }>(tx, READ_NEWEST_BLOCKS, [last]);
  const blocks = newest.map(({ record }) => headerRecord.decode(record));
  const shards = tipsOf(tips.length > 0 ? tips : genesisHead(chain).shards, blocks);
  if (shards[0]?.id.seqno !== last) throw new PostgresStoreError("damaged", `masterchain block ${last} is missing`);
  const { count } = await query(tx, DELETE_TRANSACTIONS, [last]);
  for (const statement of [DELETE_VERSIONS, DELETE_BLOCKS]) await query(tx, statement, [last]);
  await query(tx, DELETE_FIRST_STATES);
  const transactionCount = before.transactionCount + counted - BigInt(count);
  await query(tx, COUNT_IN_HEAD);
  await query(tx, SET_HEAD, [last, headRowRecord.encode({ transactionCount, shards })]);
  return { steps: head - last, transactions: count };
}
