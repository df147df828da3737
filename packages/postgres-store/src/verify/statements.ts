/** The statements of `verifyIndex`: tables in the order of their keys, page by page. */

export const TRANSACTIONS_PAGE = `SELECT account, lt, mc_seqno, in_created_lt, record FROM transactions
  WHERE mc_seqno <= $1 AND (account, lt, mc_seqno) > ($3, $4, $5) ORDER BY account, lt, mc_seqno LIMIT $2`;
export const VERSIONS_PAGE = `SELECT account, mc_seqno, record FROM account_versions
  WHERE mc_seqno <= $1 AND (account, mc_seqno) > ($3, $4) ORDER BY account, mc_seqno LIMIT $2`;
export const BASE_PAGE = `SELECT account, mc_seqno, record FROM account_base
  WHERE mc_seqno <= $1 AND account > $3 ORDER BY account LIMIT $2`;
export const BLOCKS_PAGE = `SELECT workchain, shard, seqno, end_lt, time, mc_seqno, record FROM blocks
  WHERE mc_seqno <= $1 AND (workchain, shard, seqno) > ($3, $4, $5) ORDER BY workchain, shard, seqno LIMIT $2`;
/** Cells have no step: $1 is not used for a condition. */
export const CELLS_PAGE = "SELECT hash, record FROM cells WHERE $1::int4 >= 0 AND hash > $3 ORDER BY hash LIMIT $2";
export const READ_CELL = "SELECT record FROM cells WHERE hash = $1";
export const READ_BLOCK = "SELECT record FROM blocks WHERE workchain = $1 AND shard = $2 AND seqno = $3";
