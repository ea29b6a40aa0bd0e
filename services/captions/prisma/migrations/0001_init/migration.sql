CREATE TABLE "caption_jobs" (
    "video_id" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "publisher_id" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "duration_ms" BIGINT NOT NULL,
    "has_audio" BOOLEAN NOT NULL,
    "audio_playlist_key" TEXT NOT NULL,
    "stage_revision" INTEGER NOT NULL DEFAULT 0,
    "generation" INTEGER NOT NULL DEFAULT 0,
    "state" JSONB NOT NULL,
    "in_progress" JSONB NOT NULL DEFAULT '{}',
    "chunks" INTEGER NOT NULL DEFAULT 0,
    "chunks_left" INTEGER NOT NULL DEFAULT 0,
    "transcript_digest" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "caption_jobs_pkey" PRIMARY KEY ("video_id","attempt")
);

CREATE TABLE "transcribed_chunks" (
    "video_id" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "generation" INTEGER NOT NULL,
    "chunk" INTEGER NOT NULL,
    "start_ms" BIGINT NOT NULL,
    "end_ms" BIGINT NOT NULL,
    "words" JSONB NOT NULL,

    CONSTRAINT "transcribed_chunks_pkey" PRIMARY KEY ("video_id","attempt","generation","chunk")
);
