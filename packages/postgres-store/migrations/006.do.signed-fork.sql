-- One row while validators have signed two chains, as far as an indexer knows: a record with both blocks, which operators read. Until an
-- operator deletes it, no indexer reads the network and no instance answers.
CREATE TABLE signed_fork (
  id int2 PRIMARY KEY CHECK (id = 1),
  record text NOT NULL
);
