-- Tables of the chassis, in every service's own database. Expand only: a released column is never changed in place.
CREATE SCHEMA IF NOT EXISTS chassis;

-- Messages that a committed transaction wants published. Published ones are kept for a day: JetStream may lose what it
-- has acknowledged, and the relay publishes it again.
CREATE TABLE chassis.outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subject text NOT NULL,
  message_id text NOT NULL,
  payload bytea NOT NULL,
  traceparent text,
  -- How often NATS has refused this message; it is set aside until `run_after` and does not hold back the others.
  refusals integer NOT NULL DEFAULT 0,
  run_after timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Removed once published: when JetStream loses it, its sender repeats it, or something newer replaces it.
  transient boolean NOT NULL DEFAULT false,
  -- Where it is stored, null while it waits: the stream by its time of creation, and the sequence in it.
  published_at timestamptz,
  stream_created text,
  stream_sequence bigint
);
CREATE INDEX outbox_waiting ON chassis.outbox (id) WHERE published_at IS NULL;
CREATE INDEX outbox_published ON chassis.outbox (stream_created, stream_sequence) WHERE published_at IS NOT NULL;

-- Jobs: rows are the queue. `tenant` is the publisher who must not starve the others, `origin` where the job reads from.
CREATE TABLE chassis.jobs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  stage text NOT NULL,
  queue text NOT NULL,
  video_id text NOT NULL,
  attempt integer NOT NULL,
  revision integer NOT NULL DEFAULT 0,
  name text NOT NULL,
  tenant text NOT NULL DEFAULT '',
  origin text NOT NULL DEFAULT '',
  cost double precision NOT NULL DEFAULT 0,
  -- The order among one tenant's jobs: those of videos whose processing has started, then by cost and age.
  video_started boolean NOT NULL DEFAULT false,
  rank double precision NOT NULL DEFAULT 0,
  state text NOT NULL DEFAULT 'ready' CHECK (state IN ('ready', 'running', 'done', 'failed', 'cancelled')),
  fence integer NOT NULL DEFAULT 0,
  -- Tries that count: they ended with a defect. `last_failure` is the reason of the latest defect or crash.
  tries integer NOT NULL DEFAULT 0,
  last_failure text,
  -- How often its process or a child was killed while it ran; from 2 on it is quarantined: it runs alone in its process.
  crashes integer NOT NULL DEFAULT 0,
  quarantined boolean NOT NULL DEFAULT false,
  -- Since when it waits for a dependency or a missing object; for how long, in milliseconds, up to its next try.
  blocked_since timestamptz,
  blocked_ms double precision NOT NULL DEFAULT 0,
  blocked_by text CHECK (blocked_by IN ('dependency', 'missing')),
  progress integer NOT NULL DEFAULT 0,
  payload jsonb NOT NULL DEFAULT '{}',
  error text,
  traceparent text,
  run_after timestamptz NOT NULL DEFAULT now(),
  lease_until timestamptz,
  -- The process that claimed it last.
  claimed_by text,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  finished_at timestamptz,
  UNIQUE (stage, video_id, attempt, revision, name)
);
-- A claim reads the first jobs of each tenant and origin, whatever the number of ready jobs.
CREATE INDEX jobs_ready ON chassis.jobs (queue, tenant, origin, video_started DESC, rank, id) WHERE state = 'ready';
-- The oldest ready jobs of a queue, and how many there are, without reading the rows.
CREATE INDEX jobs_waiting ON chassis.jobs (queue, run_after) WHERE state = 'ready';
CREATE INDEX jobs_running ON chassis.jobs (lease_until) INCLUDE (tenant) WHERE state = 'running';
CREATE INDEX jobs_video ON chassis.jobs (video_id);
CREATE INDEX jobs_finished ON chassis.jobs (finished_at) WHERE finished_at IS NOT NULL;

-- Stages that this service runs for catalog: opened by a request, ended by exactly one terminal event a revision.
CREATE TABLE chassis.stages (
  stage text NOT NULL,
  video_id text NOT NULL,
  attempt integer NOT NULL,
  -- Which request the row is about; a higher one replaces one that has ended.
  revision integer NOT NULL DEFAULT 0,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'completed', 'failed', 'cancelled')),
  publisher_id text NOT NULL DEFAULT '',
  request jsonb NOT NULL DEFAULT '{}',
  -- Payload of the terminal event, published again when the stage is requested again.
  result jsonb,
  percent integer NOT NULL DEFAULT 0,
  -- Milliseconds of work of its jobs, added up try by try.
  worked_ms double precision NOT NULL DEFAULT 0,
  progressed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  finished_at timestamptz,
  PRIMARY KEY (stage, video_id, attempt)
);
CREATE INDEX stages_video ON chassis.stages (video_id);

-- Videos that are gone for ever; late results for them are rejected for as long as the rows are kept.
CREATE TABLE chassis.tombstones (
  video_id text PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX tombstones_created ON chassis.tombstones (created_at);

-- One row per periodic task that one replica at a time runs, with the time of its last acquisition.
CREATE TABLE chassis.leader_locks (
  name text PRIMARY KEY,
  acquired_at timestamptz NOT NULL
);
