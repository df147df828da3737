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
