-- Added with a default: rows of the version before have no list of names.
ALTER TABLE caption_jobs ADD COLUMN names text[] NOT NULL DEFAULT '{}';
