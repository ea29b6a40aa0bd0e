CREATE TABLE "fetches" (
    "video_id" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "publisher_id" TEXT NOT NULL,
    "source_url" TEXT NOT NULL,
    "accepted_at" TIMESTAMPTZ(3) NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'open' CHECK ("state" IN ('open', 'completed', 'failed', 'cancelled')),
    "fence" INTEGER NOT NULL DEFAULT 0,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "upload_key" TEXT,
    "upload_id" TEXT,
    "validator" TEXT,
    "total_bytes" BIGINT,
    "stored_bytes" BIGINT NOT NULL DEFAULT 0,
    "digest" TEXT,
    "code" TEXT,
    "details" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "fetches_pkey" PRIMARY KEY ("video_id", "attempt")
);

-- For the sweep that finds fetches which nobody has claimed for too long.
CREATE INDEX "fetches_unclaimed" ON "fetches" ("accepted_at") WHERE "state" = 'open' AND "fence" = 0;

CREATE TABLE "parts" (
    "video_id" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "number" INTEGER NOT NULL CHECK ("number" > 0),
    "bytes" INTEGER NOT NULL CHECK ("bytes" > 0),
    "sha256" BYTEA NOT NULL CHECK (length("sha256") = 32),
    "etag" TEXT NOT NULL,

    CONSTRAINT "parts_pkey" PRIMARY KEY ("video_id", "attempt", "number")
);

ALTER TABLE "parts" ADD CONSTRAINT "parts_video_id_attempt_fkey" FOREIGN KEY ("video_id", "attempt")
    REFERENCES "fetches" ("video_id", "attempt") ON DELETE CASCADE ON UPDATE CASCADE;
