/** The statements for API keys. */

const COLUMNS = "id, secret_hash, owner, rate, network, created";
/** Uses the clock of the database, because those of the instances may differ. */
const NOW = "floor(extract(epoch FROM now()))::int8";

export const FIND_KEY: string = `SELECT ${COLUMNS} FROM api_keys WHERE id = $1 AND revoked IS NULL`;
export const REVOKED_KEYS: string = `SELECT id FROM api_keys WHERE revoked >= ${NOW} - $1::int8`;
export const LIST_KEYS: string = `SELECT ${COLUMNS} FROM api_keys WHERE revoked IS NULL ORDER BY created, id`;
export const INSERT_KEY: string = `INSERT INTO api_keys (id, secret_hash, owner, rate, network, created)
  VALUES ($1, $2, $3, $4, $5, ${NOW}) RETURNING ${COLUMNS}`;
export const REVOKE_KEY: string = `UPDATE api_keys SET revoked = ${NOW} WHERE id = $1 AND revoked IS NULL`;
export const FIND_REVOKED: string = "SELECT id FROM api_keys WHERE id = $1 AND revoked IS NOT NULL";
