-- Rises over all videos with every version, so that a reader can go through all changes in order.
CREATE SEQUENCE video_version_seq;

CREATE FUNCTION last_version_seq() RETURNS bigint LANGUAGE sql AS $$
  SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM video_version_seq
$$;

-- Key of the advisory lock of everyone who takes a number above `seq`; no other lock of the database is in its range.
CREATE FUNCTION version_lock_key(seq bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT x'7664730000000000'::bigint + seq
$$;

-- Takes a number, and until the transaction ends a shared lock that tells readers above which number it is. Nothing of
-- this is stored: transaction ids in rows would mean nothing after a dump is restored into another cluster.
CREATE FUNCTION next_version_seq() RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(version_lock_key(last_version_seq()));
  RETURN nextval('video_version_seq');
END $$;

-- All numbers up to this one are committed or lost. The sequence is read before the locks: whoever takes a number
-- between the two takes a higher one.
CREATE FUNCTION settled_version_seq() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  last bigint := last_version_seq();
BEGIN
  RETURN LEAST(last, (
    SELECT min((classid::bigint << 32 | objid::bigint) - version_lock_key(0)) FROM pg_locks
    WHERE locktype = 'advisory' AND objsubid = 1
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND (classid::bigint << 32 | objid::bigint) BETWEEN version_lock_key(0) AND version_lock_key(1::bigint << 40)));
END $$;

CREATE TABLE videos (
  id text PRIMARY KEY,
  publisher_id text NOT NULL,
  key_id text NOT NULL,
  budget_id text NOT NULL,
  source_url text NOT NULL,
  title text NOT NULL,
  summary text,
  tags text[] NOT NULL,
  thumbnail_url text,
  sport text,
  category text,
  language_code text NOT NULL,
  state text NOT NULL DEFAULT 'processing' CHECK (state IN ('processing', 'ready', 'archived', 'failed', 'deleted')),
  intent text NOT NULL DEFAULT 'none' CHECK (intent IN ('none', 'archive', 'delete')),
  held boolean NOT NULL DEFAULT false,
  attempt integer NOT NULL DEFAULT 1,
  version integer NOT NULL DEFAULT 1,
  version_seq bigint NOT NULL DEFAULT next_version_seq(),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ended_at timestamptz(3),
  due_at timestamptz(3),
  deleted_at timestamptz(3),
  gate_closes_at timestamptz(3),
  published_at timestamptz(3),
  playback_id text,
  ladder_key text,
  thumbnail_key text,
  duration_ms integer,
  failure jsonb,
  warnings jsonb NOT NULL DEFAULT '[]',
  -- The caption tracks as of captions' last event of the current attempt, in the order of the menu.
  captions jsonb NOT NULL DEFAULT '[]',
  captions_revision integer NOT NULL DEFAULT 0,
  transcript_key text,
  transcript_revision integer NOT NULL DEFAULT 0,
  traceparent text
);
CREATE UNIQUE INDEX videos_version_seq_key ON videos (version_seq);
CREATE UNIQUE INDEX videos_playback_id_key ON videos (playback_id);
CREATE INDEX videos_publisher_id_id_idx ON videos (publisher_id, id);
CREATE INDEX videos_due ON videos (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX videos_deleting ON videos (due_at) WHERE intent = 'delete';
CREATE INDEX videos_deleted ON videos (deleted_at) WHERE deleted_at IS NOT NULL;

-- Numbers every new version, whichever statement writes it. Insertion uses the column's default.
CREATE FUNCTION stamp_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version_seq := next_version_seq();
  RETURN NEW;
END $$;
CREATE TRIGGER videos_stamp_version BEFORE UPDATE OF version ON videos
  FOR EACH ROW EXECUTE FUNCTION stamp_version();

CREATE TABLE stages (
  video_id text NOT NULL REFERENCES videos (id),
  attempt integer NOT NULL,
  stage text NOT NULL,
  owner text NOT NULL,
  -- Number of the request within the attempt, and the revision of its inputs.
  revision integer NOT NULL DEFAULT 0,
  inputs_revision integer NOT NULL DEFAULT 0,
  state text NOT NULL DEFAULT 'requested' CHECK (state IN ('requested', 'started', 'completed', 'failed', 'closed')),
  progress integer NOT NULL DEFAULT 0,
  requested_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  reached text[] NOT NULL DEFAULT '{}',
  outputs jsonb NOT NULL DEFAULT '{}',
  next_republish_at timestamptz(3),
  republished integer NOT NULL DEFAULT 0,
  PRIMARY KEY (video_id, attempt, stage)
);
CREATE INDEX stages_next_republish ON stages (next_republish_at) WHERE next_republish_at IS NOT NULL;

CREATE TABLE daily_counts (
  budget_id text NOT NULL,
  day date NOT NULL,
  used integer NOT NULL,
  PRIMARY KEY (budget_id, day)
);

-- What a publisher used on `day` (UTC) and has stored now, and the operator's budgets of it (null: none).
CREATE TABLE publisher_usage (
  publisher_id text PRIMARY KEY,
  day date NOT NULL DEFAULT '1970-01-01',
  media_ms bigint NOT NULL DEFAULT 0,
  fetched_bytes bigint NOT NULL DEFAULT 0,
  stored_bytes bigint NOT NULL DEFAULT 0,
  media_minutes_budget bigint CHECK (media_minutes_budget > 0),
  fetched_bytes_budget bigint CHECK (fetched_bytes_budget > 0),
  stored_bytes_budget bigint CHECK (stored_bytes_budget > 0)
);

-- Read by the platform's apps: a row exists exactly while its video is ready.
CREATE TABLE clips (
  video_id text PRIMARY KEY REFERENCES videos (id),
  publisher_id text NOT NULL,
  title text NOT NULL,
  summary text,
  tags text[] NOT NULL,
  sport text,
  category text,
  language_code text NOT NULL,
  duration_ms integer NOT NULL,
  playback_id text NOT NULL,
  thumbnail_url text,
  published_at timestamptz(3) NOT NULL
);

-- The ledger of purges: one row per owner and scope, republished until confirmed.
CREATE TABLE purges (
  video_id text NOT NULL REFERENCES videos (id),
  owner text NOT NULL,
  scope text NOT NULL CHECK (scope IN ('VIDEO', 'OTHER_ATTEMPTS', 'SOURCE')),
  keep_attempt integer NOT NULL DEFAULT 0,
  -- A confirmation counts only if it names this request: a late one may be of an earlier purge of the same scope.
  request_id text NOT NULL,
  due_at timestamptz(3) NOT NULL,
  next_republish_at timestamptz(3),
  republished integer NOT NULL DEFAULT 0,
  confirmed_at timestamptz(3),
  PRIMARY KEY (video_id, owner, scope)
);
CREATE INDEX purges_next_republish ON purges (next_republish_at) WHERE next_republish_at IS NOT NULL;
CREATE INDEX purges_confirmed ON purges (confirmed_at) WHERE confirmed_at IS NOT NULL;

CREATE TABLE audit (
  id bigserial PRIMARY KEY,
  -- Null: the change is to the publisher.
  video_id text REFERENCES videos (id),
  -- The video's publisher, so that a publisher's rows are found without its videos.
  publisher_id text NOT NULL DEFAULT '',
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  actor text NOT NULL,
  action text NOT NULL,
  was text NOT NULL,
  became text NOT NULL,
  reason text NOT NULL DEFAULT ''
);
CREATE INDEX audit_video_id_idx ON audit (video_id);
CREATE INDEX audit_at_id_idx ON audit (at, id);
CREATE INDEX audit_actor_at_id_idx ON audit (actor, at, id);
CREATE INDEX audit_publisher_id_at_id_idx ON audit (publisher_id, at, id);

-- Append-only, whatever a role was granted, but for prune_audit; only the owner of the table could lift this.
CREATE FUNCTION keep_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('vds.prune_audit', true) = 'on'
      AND current_user = (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = TG_RELID) THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'rows of the audit are never changed or removed' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER audit_is_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
  FOR EACH STATEMENT EXECUTE FUNCTION keep_audit();

-- Removes up to `batch` of the oldest rows that are older than `keep`, and never one of the last 30 days. Returns how many.
CREATE FUNCTION prune_audit(keep interval, batch integer) RETURNS integer LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE removed integer;
BEGIN
  -- Not in the function's SET clause, which takes a superuser for a parameter that no extension defines.
  PERFORM set_config('vds.prune_audit', 'on', true);
  DELETE FROM public.audit WHERE id IN (
    SELECT id FROM public.audit WHERE at < now() - greatest(keep, interval '30 days') ORDER BY at, id LIMIT batch);
  GET DIAGNOSTICS removed = ROW_COUNT;
  PERFORM set_config('vds.prune_audit', 'off', true);
  RETURN removed;
END $$;
