-- Added with defaults: rows of the version before have no captions inside the file.
ALTER TABLE caption_jobs ADD COLUMN texts_key text NOT NULL DEFAULT '', ADD COLUMN text_languages text[] NOT NULL DEFAULT '{}';
