/** The statements of writers. A test reads their plans. */

export const READ_CHAIN = "SELECT record FROM chain WHERE id = 1";
export const INSERT_CHAIN = "INSERT INTO chain (id, record) VALUES (1, $1) ON CONFLICT DO NOTHING";

export const READ_HEAD = "SELECT seqno, epoch, record FROM head WHERE id = 1";
export const INSERT_HEAD = "INSERT INTO head (id, seqno, epoch, record) VALUES (1, 0, $1, $2) ON CONFLICT DO NOTHING";
/** Afterwards, MOVE_HEAD of a writer with a lower epoch changes no row. */
export const FENCE_HEAD = "UPDATE head SET epoch = $1 WHERE id = 1 AND epoch < $1";
export const MOVE_HEAD = "UPDATE head SET seqno = $1, record = $2 WHERE id = 1 AND seqno = $3 AND epoch = $4";

/** Uses the clock of the database, because those of the writers may differ. */
export const TAKE_LEASE = `INSERT INTO indexer_lease (name, holder, epoch, heartbeat) VALUES ($1, $2, 1, now())
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, epoch = indexer_lease.epoch + 1, heartbeat = now()
  WHERE indexer_lease.heartbeat < now() - $3::int4 * INTERVAL '1 second' OR indexer_lease.holder = excluded.holder
  RETURNING epoch`;
export const READ_LEASE = "SELECT holder FROM indexer_lease WHERE name = $1";
export const RENEW_LEASE = "UPDATE indexer_lease SET heartbeat = now() WHERE name = $1 AND epoch = $2";
export const RELEASE_LEASE = "UPDATE indexer_lease SET heartbeat = to_timestamp(0) WHERE name = $1 AND epoch = $2";

/** Leases without the released ones. */
export const READ_LEASES = `SELECT name, holder, extract(epoch FROM now() - heartbeat)::float8 AS age FROM indexer_lease
  WHERE heartbeat > to_timestamp(0) ORDER BY name`;

export const READ_OVERLAPPING = `SELECT first_seqno, last_seqno FROM backfill_ranges
  WHERE first_seqno <= $2 AND last_seqno >= $1 ORDER BY first_seqno`;
export const INSERT_RANGE = `INSERT INTO backfill_ranges (first_seqno, last_seqno, next_seqno, epoch, record) VALUES ($1, $2, $1, 0, $3)
  ON CONFLICT DO NOTHING`;
export const FENCE_RANGE = "UPDATE backfill_ranges SET epoch = $1 WHERE first_seqno = $2 AND epoch < $1";
export const READ_RANGE = "SELECT last_seqno, next_seqno, epoch, record FROM backfill_ranges WHERE first_seqno = $1";
export const MOVE_RANGE = `UPDATE backfill_ranges SET next_seqno = $1, record = $2
  WHERE first_seqno = $3 AND next_seqno = $4 AND next_seqno <= last_seqno AND epoch = $5`;
/** Afterwards, MOVE_RANGE of the backfill changes no row. */
export const END_RANGE =
  "UPDATE backfill_ranges SET last_seqno = next_seqno - 1 WHERE first_seqno = $1 AND next_seqno <= last_seqno";
/** Skips ranges that ended before their first step. */
export const READ_NEXT_RANGE = `SELECT first_seqno, last_seqno, next_seqno, record FROM backfill_ranges
  WHERE first_seqno >= $1 AND last_seqno >= first_seqno ORDER BY first_seqno LIMIT 1`;
export const READ_RANGES = "SELECT first_seqno, last_seqno, next_seqno FROM backfill_ranges ORDER BY first_seqno";

/** The first step of the history after dropped partitions. */
export const READ_HISTORY = "SELECT first_seqno, end_lt, accounts, digest FROM history WHERE id = 1";
export const READ_MASTERCHAIN_BLOCK =
  "SELECT end_lt, time FROM blocks WHERE workchain = -1 AND shard = '-9223372036854775808'::int8 AND seqno = $1";
