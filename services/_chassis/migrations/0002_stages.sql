-- Stages that this service does for a conductor: asked for by a message, ended by exactly one last word a revision.
CREATE TABLE chassis.stages (
  stage text NOT NULL,
  group_key text NOT NULL,
  attempt integer NOT NULL,
  -- Which asking the row is about; a higher one takes the place of one that has ended.
  revision integer NOT NULL DEFAULT 0,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'completed', 'failed', 'cancelled')),
  tenant text NOT NULL DEFAULT '',
  request jsonb NOT NULL DEFAULT '{}',
  -- The last word, to be said again when the stage is asked for again.
  answer jsonb,
  percent integer NOT NULL DEFAULT 0,
  said_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  finished_at timestamptz,
  PRIMARY KEY (stage, group_key, attempt)
);
CREATE INDEX stages_group ON chassis.stages (group_key);
