-- An index may begin at a later step than the zero state. Then accounts that no step of the index changed are not in the database until
-- an instance reads them from the network.

-- begins_at: the first step of the index; 0 if it has the zero state. Blocks of older steps are not in the index. tips: a record of the
-- newest block of each shard before this step. transactions: those of steps that were added below the first beginning, which the head
-- does not count.
ALTER TABLE history ADD COLUMN begins_at int4 NOT NULL DEFAULT 0;
ALTER TABLE history ADD COLUMN tips bytea;
ALTER TABLE history ADD COLUMN transactions int8 NOT NULL DEFAULT 0;

-- The state of a writer as JSON, from the last renewal of its lease.
ALTER TABLE indexer_lease ADD COLUMN state text;

-- account_base.mc_seqno is -2 for the state before the first step of the index that changes the account. The transactions of that step verify
-- these rows, so history.accounts and history.digest leave them out, and writers of steps do not wait for drops.
