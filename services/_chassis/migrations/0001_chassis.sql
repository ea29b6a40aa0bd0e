-- Tables of the chassis, in every service's own database. Expand only: a released column is never changed in place.
CREATE SCHEMA IF NOT EXISTS chassis;

-- Messages that a committed transaction wants said. The relay publishes and removes them.
CREATE TABLE chassis.outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subject text NOT NULL,
  message_id text NOT NULL,
  payload bytea NOT NULL,
  traceparent text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Units of work: rows are the queue. group_key is what belongs together, tenant is who must not starve the others.
CREATE TABLE chassis.work (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  queue text NOT NULL,
  group_key text NOT NULL,
  attempt integer NOT NULL,
  unit text NOT NULL,
  tenant text NOT NULL DEFAULT '',
  cost double precision NOT NULL DEFAULT 0,
  state text NOT NULL DEFAULT 'ready' CHECK (state IN ('ready', 'running', 'done', 'failed', 'cancelled')),
  fence integer NOT NULL DEFAULT 0,
  tries integer NOT NULL DEFAULT 0,
  progress integer NOT NULL DEFAULT 0,
  payload jsonb NOT NULL DEFAULT '{}',
  result jsonb,
  error text,
  traceparent text,
  run_after timestamptz NOT NULL DEFAULT now(),
  lease_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  finished_at timestamptz,
  UNIQUE (queue, group_key, attempt, unit)
);
CREATE INDEX work_claimable ON chassis.work (queue, run_after) WHERE state IN ('ready', 'running');
CREATE INDEX work_group ON chassis.work (group_key);

-- Groups that are gone for ever; late results for them are refused.
CREATE TABLE chassis.tombstones (
  group_key text PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now()
);
