-- A stage may be asked for once more within its attempt: which asking this is, and with which edition of its inputs.
ALTER TABLE stages
  ADD COLUMN revision integer NOT NULL DEFAULT 0,
  ADD COLUMN inputs_revision integer NOT NULL DEFAULT 0;

-- What captions told last of the current attempt: the tracks as a list, in the order of the menu.
ALTER TABLE videos
  ADD COLUMN captions jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN captions_revision integer NOT NULL DEFAULT 0,
  ADD COLUMN transcript_key text,
  ADD COLUMN transcript_revision integer NOT NULL DEFAULT 0;
