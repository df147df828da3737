-- What is left of history whose partitions were dropped.

-- One row: steps below first_seqno were dropped. end_lt: the end of the last one of them, in logical time. accounts and digest: the
-- number of rows of account_base, and the XOR of the first eight bytes of the SHA-256 hashes of their keys, steps and records.
-- epoch: of the newest process that drops history; it fences the one before.
CREATE TABLE history (
  id int2 PRIMARY KEY CHECK (id = 1),
  first_seqno int4 NOT NULL,
  end_lt int8 NOT NULL,
  epoch int8 NOT NULL,
  accounts int8 NOT NULL,
  digest int8 NOT NULL
);
INSERT INTO history (id, first_seqno, end_lt, epoch, accounts, digest) VALUES (1, 0, 0, 0, 0, 0);

-- The newest dropped version of each account. Changed only by the transaction that drops a partition.
CREATE TABLE account_base (
  account bytea,
  mc_seqno int4 NOT NULL,
  record bytea NOT NULL,
  PRIMARY KEY (account)
) WITH (toast_tuple_target = 8160);
ALTER TABLE account_base ALTER COLUMN record SET STORAGE EXTERNAL;
