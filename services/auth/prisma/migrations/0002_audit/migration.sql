-- Every change by the operator's staff, with who and why. A row is written in the transaction of its change.
CREATE TABLE "audit" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "publisher_id" TEXT,
    "key_id" TEXT,
    "new_key_id" TEXT,
    "was" TEXT NOT NULL DEFAULT '',
    "became" TEXT NOT NULL,
    "reason" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "audit_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "audit_at_id_idx" ON "audit"("at", "id");
CREATE INDEX "audit_actor_at_id_idx" ON "audit"("actor", "at", "id");
CREATE INDEX "audit_publisher_id_at_id_idx" ON "audit"("publisher_id", "at", "id");
CREATE INDEX "audit_key_id_idx" ON "audit"("key_id");
CREATE INDEX "audit_new_key_id_idx" ON "audit"("new_key_id");

-- Rows are only ever added, whatever a role was granted; only the owner of the table could lift this.
CREATE FUNCTION "keep_audit"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of the audit are never changed or removed' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER "audit_is_kept" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit"
  FOR EACH STATEMENT EXECUTE FUNCTION "keep_audit"();
