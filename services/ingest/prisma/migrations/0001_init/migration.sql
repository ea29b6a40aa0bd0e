CREATE TABLE "fetches" (
    "video_id" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "failing_ms" BIGINT NOT NULL DEFAULT 0,
    "source_key" TEXT,
    "part_bytes" INTEGER,
    "validator" TEXT,
    "total_bytes" BIGINT,
    "stored_bytes" BIGINT NOT NULL DEFAULT 0,
    "source_wait_ms" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "fetches_pkey" PRIMARY KEY ("video_id", "attempt")
);

CREATE TABLE "parts" (
    "video_id" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "number" INTEGER NOT NULL CHECK ("number" > 0),
    "bytes" INTEGER NOT NULL CHECK ("bytes" > 0),
    "sha256" BYTEA NOT NULL CHECK (length("sha256") = 32),

    CONSTRAINT "parts_pkey" PRIMARY KEY ("video_id", "attempt", "number")
);

ALTER TABLE "parts" ADD CONSTRAINT "parts_video_id_attempt_fkey" FOREIGN KEY ("video_id", "attempt")
    REFERENCES "fetches" ("video_id", "attempt") ON DELETE CASCADE ON UPDATE CASCADE;
