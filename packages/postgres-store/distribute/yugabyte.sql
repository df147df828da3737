-- The tables for YugabyteDB (YSQL), instead of `chain-query-indexer migrate`: rows are spread by account, and an account's rows lie
-- together, the newest first. Let the indexer publish in two phases.
-- This file was never run by the authors: they have no YugabyteDB. Its statements are those of YugabyteDB's documentation.

CREATE TABLE chain (id int2 PRIMARY KEY CHECK (id = 1), record bytea NOT NULL);

CREATE TABLE head (id int2 PRIMARY KEY CHECK (id = 1), seqno int4 NOT NULL, epoch int8 NOT NULL, record bytea NOT NULL);

CREATE TABLE indexer_lease (name text PRIMARY KEY, holder text NOT NULL, epoch int8 NOT NULL, heartbeat timestamptz NOT NULL);

CREATE TABLE backfill_ranges (
  first_seqno int4,
  last_seqno int4 NOT NULL,
  next_seqno int4 NOT NULL,
  epoch int8 NOT NULL,
  record bytea NOT NULL,
  PRIMARY KEY (first_seqno ASC)
);

CREATE TABLE blocks (
  workchain int4,
  shard int8,
  seqno int4,
  end_lt int8 NOT NULL,
  time int8 NOT NULL,
  mc_seqno int4 NOT NULL,
  record bytea NOT NULL,
  PRIMARY KEY (workchain ASC, shard ASC, seqno ASC)
);
CREATE INDEX blocks_by_lt ON blocks (workchain ASC, shard ASC, end_lt ASC);
CREATE INDEX blocks_by_time ON blocks (workchain ASC, shard ASC, time ASC, seqno ASC);

CREATE TABLE transactions (
  account bytea,
  lt int8,
  mc_seqno int4,
  in_created_lt int8,
  record bytea NOT NULL,
  PRIMARY KEY (account HASH, lt DESC, mc_seqno DESC)
);
CREATE INDEX transactions_by_message ON transactions (account HASH, in_created_lt ASC) WHERE in_created_lt IS NOT NULL;

CREATE TABLE account_versions (
  account bytea,
  mc_seqno int4,
  record bytea NOT NULL,
  PRIMARY KEY (account HASH, mc_seqno DESC)
);

-- No partitions: nothing is dropped here, so these stay as they are.
CREATE TABLE history (
  id int2 PRIMARY KEY CHECK (id = 1),
  first_seqno int4 NOT NULL,
  end_lt int8 NOT NULL,
  epoch int8 NOT NULL,
  accounts int8 NOT NULL,
  digest int8 NOT NULL
);
INSERT INTO history (id, first_seqno, end_lt, epoch, accounts, digest) VALUES (1, 0, 0, 0, 0, 0) ON CONFLICT DO NOTHING;
CREATE TABLE account_base (account bytea, mc_seqno int4 NOT NULL, record bytea NOT NULL, PRIMARY KEY (account HASH));

CREATE TABLE cells (hash bytea, record bytea NOT NULL, PRIMARY KEY (hash HASH));

CREATE TABLE api_keys (
  id text,
  secret_hash bytea NOT NULL,
  owner text NOT NULL,
  rate int4 NOT NULL,
  network text,
  created int8 NOT NULL,
  revoked int8,
  PRIMARY KEY (id HASH)
);
CREATE INDEX api_keys_by_revoked ON api_keys (revoked ASC) WHERE revoked IS NOT NULL;

-- What the migrations leave: the version of the schema.
CREATE TABLE schema_version (version int8 PRIMARY KEY, name text, md5 text, run_at timestamptz);
INSERT INTO schema_version (version, name) VALUES (1, 'chain'), (2, 'api-keys'), (3, 'retention') ON CONFLICT DO NOTHING;
