-- Rises over all videos with every version, so that a reader can go through all changes in order.
CREATE SEQUENCE video_version_seq;

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
  version_seq bigint NOT NULL DEFAULT nextval('video_version_seq'),
  changed_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
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
  traceparent text
);
CREATE UNIQUE INDEX videos_version_seq_key ON videos (version_seq);
CREATE UNIQUE INDEX videos_playback_id_key ON videos (playback_id);
CREATE INDEX videos_due ON videos (due_at) WHERE due_at IS NOT NULL;

-- A version is numbered where it is written, whoever writes it. Insertion has the columns' defaults.
CREATE FUNCTION stamp_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version_seq := nextval('video_version_seq');
  NEW.changed_in := pg_current_xact_id();
  RETURN NEW;
END $$;
CREATE TRIGGER videos_stamp_version BEFORE UPDATE OF version ON videos
  FOR EACH ROW EXECUTE FUNCTION stamp_version();

CREATE TABLE stages (
  video_id text NOT NULL REFERENCES videos (id),
  attempt integer NOT NULL,
  stage text NOT NULL,
  owner text NOT NULL,
  state text NOT NULL DEFAULT 'requested' CHECK (state IN ('requested', 'started', 'completed', 'failed', 'closed')),
  progress integer NOT NULL DEFAULT 0,
  requested_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  due_at timestamptz(3),
  reached text[] NOT NULL DEFAULT '{}',
  outputs jsonb NOT NULL DEFAULT '{}',
  remind_at timestamptz(3),
  reminders integer NOT NULL DEFAULT 0,
  PRIMARY KEY (video_id, attempt, stage)
);
CREATE INDEX stages_due ON stages (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX stages_remind ON stages (remind_at) WHERE remind_at IS NOT NULL;

CREATE TABLE daily_counts (
  budget_id text NOT NULL,
  day date NOT NULL,
  used integer NOT NULL,
  PRIMARY KEY (budget_id, day)
);

-- What the platform's apps read: a row exists exactly while its video is ready.
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

-- The ledger of removals: one row an owner and scope, asked for until confirmed.
CREATE TABLE purges (
  video_id text NOT NULL REFERENCES videos (id),
  owner text NOT NULL,
  scope text NOT NULL CHECK (scope IN ('VIDEO', 'OTHER_ATTEMPTS', 'SOURCE')),
  keep_attempt integer NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL,
  remind_at timestamptz(3),
  reminders integer NOT NULL DEFAULT 0,
  confirmed_at timestamptz(3),
  PRIMARY KEY (video_id, owner, scope)
);
CREATE INDEX purges_remind ON purges (remind_at) WHERE remind_at IS NOT NULL;

CREATE TABLE audit (
  id bigserial PRIMARY KEY,
  video_id text NOT NULL REFERENCES videos (id),
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  actor text NOT NULL,
  action text NOT NULL,
  was text NOT NULL,
  became text NOT NULL,
  reason text NOT NULL DEFAULT ''
);
CREATE INDEX audit_video_id_idx ON audit (video_id);

CREATE TABLE turns (
  name text PRIMARY KEY,
  at timestamptz(3) NOT NULL
);
INSERT INTO turns (name, at) VALUES ('remind', '-infinity'), ('look', '-infinity');
