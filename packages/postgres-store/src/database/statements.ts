/**
 * The statements of readers (`selectHead`) and writers (`MOVE_HEAD`), whose plans a test reads. The statements of partitions
 * are in `partition-statements.ts`.
 *
 * A read finds rows by equality on an account, a shard or a hash and a range of the sort key, and no row above a head. Records
 * come as base64, which a client decodes in a third less time than the hexadecimal text of bytea.
 */

const page =
  "FROM transactions WHERE account = $1 AND lt <= $2 AND lt > $3 AND mc_seqno >= $4 AND mc_seqno <= $5 ORDER BY lt DESC LIMIT $6";
/** $1 account, $2 newest lt, $3 lt that all are above, $4 oldest and $5 newest step, $6 limit. */
export const selectTransactions: string = `SELECT encode(record, 'base64') ${page}`;

const version = "FROM account_versions WHERE account = $1 AND mc_seqno <= $2 ORDER BY mc_seqno DESC LIMIT 1";
/** $1 account, $2 head. */
export const selectAccount: string = `SELECT encode(record, 'base64') ${version}`;

/**
 * The dropped history, in the snapshot of the rows: at least one row. Its columns are the first step that was not dropped, the end of the
 * dropped ones in logical time, the first step of the index, the newest dropped step that changed the account, and a record.
 */
const withHistory = (record: string, rows: string): string =>
  `SELECT history.first_seqno, history.end_lt, history.begins_at, account_base.mc_seqno, encode(${record}, 'base64') FROM history ` +
  `LEFT JOIN account_base ON account_base.account = $1 LEFT JOIN LATERAL (${rows}) AS found ON true WHERE history.id = 1`;

/** As `selectTransactions`. */
export const selectTransactionsWithHistory: string = `${withHistory(
  "found.record",
  `SELECT lt, record ${page}`,
)} ORDER BY found.lt DESC`;

/** As `selectAccount`. The record is the dropped version if no other one exists. */
export const selectAccountWithHistory: string = withHistory(
  "coalesce(found.record, account_base.record)",
  `SELECT record ${version}`,
);

/** The first transaction of an account after step $2, up to $3, and its step. $1 account. */
export const selectNextChange: string =
  "SELECT mc_seqno, encode(record, 'base64') FROM transactions " +
  "WHERE account = $1 AND mc_seqno > $2 AND mc_seqno <= $3 ORDER BY lt LIMIT 1";

/** Where the index begins, and the tips before that. */
export const selectBegin: string = "SELECT first_seqno, end_lt, begins_at, encode(tips, 'base64') FROM history WHERE id = 1";

/** $1 account, $2 created lt of its incoming message, $3 oldest and $4 newest step, $5 lt that all are above, $6 limit. */
export const selectReceivers: string = `${withHistory(
  "found.record",
  "SELECT lt, record FROM transactions " +
    "WHERE account = $1 AND in_created_lt = $2 AND mc_seqno >= $3 AND mc_seqno <= $4 AND lt > $5 ORDER BY lt LIMIT $6",
)} ORDER BY found.lt`;

/** The blocks of a workchain and one of several shards. */
const block: string = "FROM blocks WHERE workchain = $1 AND shard";

/** The first match of each shard, of these the first. Seqnos and times grow along the shards of an address. */
function firstBlock(condition: string, order: string): string {
  return `SELECT encode(record, 'base64') FROM unnest($2::int8[]) AS asked(id) CROSS JOIN LATERAL
    (SELECT record, end_lt, time, seqno ${block} = asked.id AND ${condition} AND mc_seqno <= $4 ORDER BY ${order} LIMIT 1) AS found
    ORDER BY ${order} LIMIT 1`;
}

/** $1 workchain, $2 shards as text, $3 seqno, $4 head. */
export const selectBlockBySeqno: string = `SELECT encode(record, 'base64') ${block} = ANY($2::int8[]) AND seqno = $3 AND mc_seqno <= $4`;
/** $3 lt. */
export const selectBlockByLt: string = firstBlock("end_lt >= $3", "end_lt");
/** $3 time. */
export const selectBlockByTime: string = firstBlock("time >= $3", "time, seqno");

/** $1 hash. */
export const selectCell: string = "SELECT encode(record, 'base64') FROM cells WHERE hash = $1";

/** The head moves on in one row. $1 seqno of a head that is known: NULL if the row still has it, else the record. */
export const selectHead: string = "SELECT CASE WHEN seqno <> $1 THEN encode(record, 'base64') END FROM head WHERE id = 1";

export const selectChain: string = "SELECT encode(record, 'base64') FROM chain WHERE id = 1";

export const READ_CHAIN = "SELECT record FROM chain WHERE id = 1";
export const INSERT_CHAIN = "INSERT INTO chain (id, record) VALUES (1, $1) ON CONFLICT DO NOTHING";

export const READ_HEAD = "SELECT seqno, epoch, record FROM head WHERE id = 1";
export const INSERT_HEAD = "INSERT INTO head (id, seqno, epoch, record) VALUES (1, $1, $2, $3) ON CONFLICT DO NOTHING";
/** Afterwards, MOVE_HEAD of a writer with a lower epoch changes no row. */
export const FENCE_HEAD = "UPDATE head SET epoch = $1 WHERE id = 1 AND epoch < $1";
export const MOVE_HEAD = "UPDATE head SET seqno = $1, record = $2 WHERE id = 1 AND seqno = $3 AND epoch = $4";

/** Uses the clock of the database, because the clocks of writers may differ. */
export const TAKE_LEASE = `INSERT INTO indexer_lease (name, holder, epoch, heartbeat) VALUES ($1, $2, 1, now())
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, epoch = indexer_lease.epoch + 1, heartbeat = now(), state = NULL
  WHERE indexer_lease.heartbeat < now() - $3::int4 * INTERVAL '1 second' OR indexer_lease.holder = excluded.holder
  RETURNING epoch`;
export const READ_LEASE = "SELECT holder FROM indexer_lease WHERE name = $1";
export const RENEW_LEASE = "UPDATE indexer_lease SET heartbeat = now(), state = $3 WHERE name = $1 AND epoch = $2";
export const RELEASE_LEASE = "UPDATE indexer_lease SET heartbeat = to_timestamp(0) WHERE name = $1 AND epoch = $2";

/** Leases without the released ones. */
export const READ_LEASES = `SELECT name, holder, extract(epoch FROM now() - heartbeat)::float8 AS age, state FROM indexer_lease
  WHERE heartbeat > to_timestamp(0) ORDER BY name`;

/** The first step of the history after dropped partitions, and where the index begins. */
export const READ_HISTORY =
  'SELECT first_seqno AS "firstSeqno", end_lt AS "endLt", accounts, digest, begins_at AS "beginsAt", tips, transactions FROM history WHERE id = 1';
/** $1 the first step of the index, $2 the end of the one before it in logical time, $3 the tips before it. */
export const BEGIN_HISTORY = "UPDATE history SET first_seqno = $1, begins_at = $1, end_lt = $2, tips = $3 WHERE id = 1";
export const READ_MASTERCHAIN_BLOCK =
  "SELECT end_lt, time FROM blocks WHERE workchain = -1 AND shard = '-9223372036854775808'::int8 AND seqno = $1";

/** Locks out drops and steps that are added before the index until the end of the transaction. */
export const LOCK_HISTORY: string = `${READ_HISTORY} FOR UPDATE`;
/** Locks out `LOCK_HISTORY`, but not drops, which take long. */
export const SHARE_HISTORY: string = `${READ_HISTORY} FOR KEY SHARE`;
/** $1 the new first step of the index, $2 the former one, $3 the end of the step before in logical time, $4 the tips, $5 transactions. */
export const MOVE_BEGIN = `UPDATE history SET first_seqno = $1, begins_at = $1, end_lt = $3, tips = $4, transactions = $5
  WHERE id = 1 AND first_seqno = $2 AND begins_at = $2 AND epoch = $6`;

export const selectSignedFork: string = "SELECT record FROM signed_fork WHERE id = 1";
export const INSERT_SIGNED_FORK: string = "INSERT INTO signed_fork (id, record) VALUES (1, $1) ON CONFLICT DO NOTHING";

const KEY_COLUMNS = "id, secret_hash, owner, rate, network, created";
/** Uses the clock of the database, because the clocks of instances may differ. */
const NOW = "floor(extract(epoch FROM now()))::int8";

export const FIND_KEY: string = `SELECT ${KEY_COLUMNS} FROM api_keys WHERE id = $1 AND revoked IS NULL`;
export const LIST_KEYS: string = `SELECT ${KEY_COLUMNS} FROM api_keys WHERE revoked IS NULL ORDER BY created, id`;
export const INSERT_KEY: string = `INSERT INTO api_keys (id, secret_hash, owner, rate, network, created)
  VALUES ($1, $2, $3, $4, $5, ${NOW}) RETURNING ${KEY_COLUMNS}`;
export const REVOKE_KEY: string = `UPDATE api_keys SET revoked = ${NOW} WHERE id = $1 AND revoked IS NULL`;
export const FIND_REVOKED: string = "SELECT id FROM api_keys WHERE id = $1 AND revoked IS NOT NULL";
