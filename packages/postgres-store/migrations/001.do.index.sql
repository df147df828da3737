-- The history of one chain. Rows of history are never changed; those above the head are not visible to readers.
-- account: workchain(4, sign bit flipped) | hash(32). record: the bytes that the LMDB store keeps, with a checksum.
-- mc_seqno: the masterchain block that committed the row; 0 for the zero state.

-- One row: the zero states, and the number and a digest of their accounts.
CREATE TABLE chain (
  id int2 PRIMARY KEY CHECK (id = 1),
  record bytea NOT NULL
);

-- One row, which every step updates: free space in its page keeps the updates there.
CREATE TABLE head (
  id int2 PRIMARY KEY CHECK (id = 1),
  seqno int4 NOT NULL,
  epoch int8 NOT NULL,
  record bytea NOT NULL
) WITH (fillfactor = 10, toast_tuple_target = 8160);
ALTER TABLE head ALTER COLUMN record SET STORAGE EXTERNAL;

-- Who writes: the newest steps, and the oldest ones. The epoch grows with each new holder and fences the one before. state: of the writer,
-- as JSON, from the last renewal of its lease.
CREATE TABLE indexer_lease (
  name text PRIMARY KEY,
  holder text NOT NULL,
  epoch int8 NOT NULL,
  heartbeat timestamptz NOT NULL,
  state text
) WITH (fillfactor = 50);

CREATE TABLE blocks (
  workchain int4,
  shard int8,
  seqno int4,
  end_lt int8 NOT NULL,
  time int8 NOT NULL,
  mc_seqno int4 NOT NULL,
  record bytea NOT NULL,
  PRIMARY KEY (workchain, shard, seqno)
);
CREATE INDEX blocks_by_lt ON blocks (workchain, shard, end_lt);
CREATE INDEX blocks_by_time ON blocks (workchain, shard, time, seqno);

-- mc_seqno is in the key because PostgreSQL wants the partition key there; (account, lt) is unique all the same.
CREATE TABLE transactions (
  account bytea,
  lt int8,
  mc_seqno int4,
  in_created_lt int8,
  record bytea NOT NULL,
  PRIMARY KEY (account, lt, mc_seqno)
) PARTITION BY RANGE (mc_seqno);
ALTER TABLE transactions ALTER COLUMN record SET STORAGE EXTERNAL;
CREATE TABLE transactions_from_0 PARTITION OF transactions
  FOR VALUES FROM (0) TO (MAXVALUE) WITH (toast_tuple_target = 8160);
-- in_created_lt: when the internal message that the transaction received was created.
CREATE INDEX transactions_by_message ON transactions (account, in_created_lt) WHERE in_created_lt IS NOT NULL;

CREATE TABLE account_versions (
  account bytea,
  mc_seqno int4,
  record bytea NOT NULL,
  PRIMARY KEY (account, mc_seqno)
) PARTITION BY RANGE (mc_seqno);
ALTER TABLE account_versions ALTER COLUMN record SET STORAGE EXTERNAL;
CREATE TABLE account_versions_from_0 PARTITION OF account_versions
  FOR VALUES FROM (0) TO (MAXVALUE) WITH (toast_tuple_target = 8160);

-- Codes and initial states: many accounts and messages have the same one.
CREATE TABLE cells (
  hash bytea PRIMARY KEY,
  record bytea NOT NULL
);

-- One row: what the index does not have.
-- first_seqno: steps below it were dropped, or the index begins there. end_lt: the end of the last one of them, in logical time.
-- begins_at: the first step that was written; 0 if the index has the zero state. Blocks of older steps are not in the index.
-- tips: a record of the newest block of each shard before this step.
-- transactions: those of steps that were added below the first beginning, which the head does not count.
-- accounts and digest: the number of rows of account_base that drops made, and the XOR of the first eight bytes of the SHA-256 hashes of
-- their keys, steps and records.
-- epoch: of the newest process that adds or drops history; it fences the one before.
CREATE TABLE history (
  id int2 PRIMARY KEY CHECK (id = 1),
  first_seqno int4 NOT NULL DEFAULT 0,
  end_lt int8 NOT NULL DEFAULT 0,
  begins_at int4 NOT NULL DEFAULT 0,
  tips bytea,
  transactions int8 NOT NULL DEFAULT 0,
  accounts int8 NOT NULL DEFAULT 0,
  digest int8 NOT NULL DEFAULT 0,
  epoch int8 NOT NULL DEFAULT 0
);
INSERT INTO history (id) VALUES (1);

-- States of accounts that no version shows. mc_seqno: the step of the newest dropped version; or -2 for the state before the first step of
-- the index that changes the account. The transactions of that step verify such rows, so history.accounts and history.digest leave them
-- out, and writers of steps do not wait for drops.
CREATE TABLE account_base (
  account bytea,
  mc_seqno int4 NOT NULL,
  record bytea NOT NULL,
  PRIMARY KEY (account)
) WITH (toast_tuple_target = 8160);
ALTER TABLE account_base ALTER COLUMN record SET STORAGE EXTERNAL;

-- One row while validators have signed two chains, as far as an indexer knows: a record with both blocks, which operators read. Until an
-- operator deletes it, no indexer reads the network and no instance answers.
CREATE TABLE signed_fork (
  id int2 PRIMARY KEY CHECK (id = 1),
  record text NOT NULL
);

-- API keys that all instances of the service accept. Times are whole Unix seconds.
CREATE TABLE api_keys (
  id text PRIMARY KEY,
  secret_hash bytea NOT NULL,
  owner text NOT NULL,
  rate int4 NOT NULL,
  network text,
  created int8 NOT NULL,
  revoked int8
);
