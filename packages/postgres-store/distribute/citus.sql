-- Spreads an index over the workers of a Citus cluster. Run it once, on the coordinator, after `chain-query-indexer migrate` and before
-- the first `run`, and let the indexer publish in two phases: Citus has no snapshot over several shards.
-- This file was never run by the authors: they have no Citus. Its statements are those of Citus's documentation.
-- What Citus may refuse: the read behind a dropped partition (LEFT JOIN LATERAL over history and account_base; only after a first `drop`,
-- or with an empty answer), and `--partition-steps` and `drop` (LOCK TABLE ONLY, DETACH and ATTACH in one message, an INSERT of a SELECT
-- with DISTINCT ON and ON CONFLICT DO UPDATE). Without the last two, there is one partition.

SELECT create_distributed_table('transactions', 'account');
SELECT create_distributed_table('account_versions', 'account', colocate_with => 'transactions');
SELECT create_distributed_table('account_base', 'account', colocate_with => 'transactions');

-- Small tables, or tables that every worker reads.
SELECT create_reference_table('chain');
SELECT create_reference_table('head');
SELECT create_reference_table('history');
SELECT create_reference_table('indexer_lease');
SELECT create_reference_table('backfill_ranges');
SELECT create_reference_table('blocks');
SELECT create_reference_table('cells');
SELECT create_reference_table('api_keys');
