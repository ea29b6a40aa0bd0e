-- Added with defaults: rows of the version before have no cues of sounds.
ALTER TABLE caption_jobs ADD COLUMN sound_cues boolean NOT NULL DEFAULT false;
ALTER TABLE transcribed_chunks ADD COLUMN sounds jsonb NOT NULL DEFAULT '[]';
