CREATE TABLE "organizations" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "sealed_viewer_key" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organizations_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "organizations_name_key" ON "organizations"("name");

CREATE TABLE "publishers" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "publishers_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "api_keys" (
    "id" TEXT NOT NULL,
    "publisher_id" TEXT NOT NULL,
    "scopes" TEXT[],
    "minute_limit" INTEGER NOT NULL CHECK ("minute_limit" > 0),
    "daily_limit" INTEGER NOT NULL CHECK ("daily_limit" > 0),
    "budget_id" TEXT NOT NULL,
    "pepper_id" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL CHECK (length("secret_hash") = 32),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- UNLOGGED: a window is worthless a minute later, and without write-ahead log a decision costs a tenth. After a crash of the
-- database the windows are empty, nothing else. No foreign key to api_keys: its check would lock that row.
-- No index beside the primary key and free space on every page: each decision is a heap-only update.
CREATE UNLOGGED TABLE "minute_windows" (
    "key_id" TEXT NOT NULL,
    "request_times" TIMESTAMPTZ(6)[],
    "request_ids" BIGINT[],
    "minute_limit" INTEGER NOT NULL,
    "admitted" BOOLEAN NOT NULL,
    "decided_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "minute_windows_pkey" PRIMARY KEY ("key_id")
) WITH (fillfactor = 50);

-- Neither timestamps nor hashes compress; keep them in the row as long as they fit on a page.
ALTER TABLE "minute_windows" ALTER COLUMN "request_times" SET STORAGE MAIN, ALTER COLUMN "request_ids" SET STORAGE MAIN;

CREATE TABLE "signing_keys" (
    "kid" TEXT NOT NULL,
    "public_jwk" JSONB NOT NULL,
    "sealed_private_key" BYTEA NOT NULL,
    "published_at" TIMESTAMPTZ(3) NOT NULL,
    "signs_from" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "signing_keys_pkey" PRIMARY KEY ("kid")
);

CREATE INDEX "publishers_created_at_idx" ON "publishers"("created_at");
CREATE INDEX "publishers_organization_id_idx" ON "publishers"("organization_id");

ALTER TABLE "publishers" ADD CONSTRAINT "publishers_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE INDEX "api_keys_publisher_id_created_at_idx" ON "api_keys"("publisher_id", "created_at");

ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_publisher_id_fkey" FOREIGN KEY ("publisher_id") REFERENCES "publishers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Every change made by the operator's staff, with who and why. A row is written in the transaction of its change.
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

-- Append-only, whatever a role is granted, but for prune_audit; only the owner of the table can lift this.
CREATE FUNCTION "keep_audit"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('vds.prune_audit', true) = 'on'
      AND current_user = (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = TG_RELID) THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'rows of the audit are never changed or removed' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER "audit_is_kept" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit"
  FOR EACH STATEMENT EXECUTE FUNCTION "keep_audit"();

-- Removes up to `batch` of the oldest rows that are older than `keep`, and never one of the last 30 days. Returns how many.
CREATE FUNCTION "prune_audit"(keep interval, batch integer) RETURNS integer LANGUAGE plpgsql
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
