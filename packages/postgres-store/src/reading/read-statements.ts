/**
 * The statements of the reader. Each reads one table by equality on what rows are distributed by and a range of what they are sorted by,
 * and sees nothing above a head. Records come as base64, which a client decodes in a third less time than the hexadecimal text of bytea.
 */

/** $1 account, $2 newest lt, $3 lt that all are above, $4 oldest and $5 newest step, $6 limit. */
export const selectTransactions: string =
  "SELECT encode(record, 'base64') FROM transactions " +
  "WHERE account = $1 AND lt <= $2 AND lt > $3 AND mc_seqno >= $4 AND mc_seqno <= $5 ORDER BY lt DESC LIMIT $6";

/** $1 account, $2 head. */
export const selectAccount: string =
  "SELECT encode(record, 'base64') FROM account_versions WHERE account = $1 AND mc_seqno <= $2 ORDER BY mc_seqno DESC LIMIT 1";

/**
 * What was dropped, in the snapshot of the rows: a row at least. Its columns are the first step that is there, the end of the dropped ones
 * in logical time, the newest dropped step that changed the account, and a record.
 */
const withHistory = (record: string, rows: string): string =>
  `SELECT history.first_seqno, history.end_lt, account_base.mc_seqno, encode(${record}, 'base64') FROM history ` +
  `LEFT JOIN account_base ON account_base.account = $1 LEFT JOIN LATERAL (${rows}) AS found ON true WHERE history.id = 1`;

/** As `selectTransactions`. */
export const selectTransactionsWithHistory: string = `${withHistory(
  "found.record",
  "SELECT lt, record FROM transactions " +
    "WHERE account = $1 AND lt <= $2 AND lt > $3 AND mc_seqno >= $4 AND mc_seqno <= $5 ORDER BY lt DESC LIMIT $6",
)} ORDER BY found.lt DESC`;

/** As `selectAccount`. The record is the dropped version if no other one is there. */
export const selectAccountWithHistory: string = withHistory(
  "coalesce(found.record, account_base.record)",
  "SELECT record FROM account_versions WHERE account = $1 AND mc_seqno <= $2 ORDER BY mc_seqno DESC LIMIT 1",
);

/** $1 account, $2 created lt of its incoming message, $3 oldest and $4 newest step, $5 lt that all are above, $6 limit. */
export const selectReceivers: string = `${withHistory(
  "found.record",
  "SELECT lt, record FROM transactions " +
    "WHERE account = $1 AND in_created_lt = $2 AND mc_seqno >= $3 AND mc_seqno <= $4 AND lt > $5 ORDER BY lt LIMIT $6",
)} ORDER BY found.lt`;

const block: string = "SELECT encode(record, 'base64') FROM blocks WHERE workchain = $1 AND shard = $2";

/** $1 workchain, $2 shard, $3 seqno, $4 head. */
export const selectBlockBySeqno: string = `${block} AND seqno = $3 AND mc_seqno <= $4`;
/** $3 lt. */
export const selectBlockByLt: string = `${block} AND end_lt >= $3 AND mc_seqno <= $4 ORDER BY end_lt LIMIT 1`;
/** $3 time. */
export const selectBlockByTime: string = `${block} AND time >= $3 AND mc_seqno <= $4 ORDER BY time, seqno LIMIT 1`;

/** $1 hash. */
export const selectCell: string = "SELECT encode(record, 'base64') FROM cells WHERE hash = $1";
