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

-- Who writes: the newest steps, and the oldest ones. The epoch grows with each new holder and fences the one before.
CREATE TABLE indexer_lease (
  name text PRIMARY KEY,
  holder text NOT NULL,
  epoch int8 NOT NULL,
  heartbeat timestamptz NOT NULL
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
