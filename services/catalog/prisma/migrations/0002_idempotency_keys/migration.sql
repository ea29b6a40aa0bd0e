-- Which video an Idempotency-Key made: a repeat with the same body gets it again.
CREATE TABLE idempotency_keys (
  publisher_id text NOT NULL,
  key text NOT NULL,
  video_id text NOT NULL,
  request_hash bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (publisher_id, key)
);
CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at);
