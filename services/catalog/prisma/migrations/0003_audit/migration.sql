-- Whose video a row is about, so that a publisher's rows are found without its videos.
ALTER TABLE audit ADD COLUMN publisher_id text NOT NULL DEFAULT '';
UPDATE audit SET publisher_id = videos.publisher_id FROM videos WHERE videos.id = audit.video_id;

CREATE INDEX audit_at_id_idx ON audit (at, id);
CREATE INDEX audit_actor_at_id_idx ON audit (actor, at, id);
CREATE INDEX audit_publisher_id_at_id_idx ON audit (publisher_id, at, id);
CREATE INDEX videos_publisher_id_id_idx ON videos (publisher_id, id);

-- Rows are only ever added, whatever a role was granted; only the owner of the table could lift this.
CREATE FUNCTION keep_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of the audit are never changed or removed' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER audit_is_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
  FOR EACH STATEMENT EXECUTE FUNCTION keep_audit();
