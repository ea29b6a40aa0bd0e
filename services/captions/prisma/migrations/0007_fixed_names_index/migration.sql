CREATE INDEX CONCURRENTLY "caption_jobs_fixed_names_idx" ON "caption_jobs" ("publisher_id", "updated_at") WHERE "fixed_names" <> '{}';
