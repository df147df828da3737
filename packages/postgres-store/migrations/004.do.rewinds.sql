-- How many times the newest steps were removed. A head of more rewinds is newer than any head of fewer.
ALTER TABLE head ADD COLUMN rewinds int4 NOT NULL DEFAULT 0;
