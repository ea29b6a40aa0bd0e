CREATE TABLE "stages" (
    "video_id" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "stage" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'open',
    "publisher_id" TEXT NOT NULL,
    "source_key" TEXT NOT NULL,
    "source_bytes" BIGINT NOT NULL,
    "percent" INTEGER NOT NULL DEFAULT 0,
    "answer" JSONB,
    "started_at" TIMESTAMPTZ(3),
    "said_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "stages_pkey" PRIMARY KEY ("video_id","attempt","stage")
);

CREATE TABLE "plans" (
    "video_id" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "plan" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "plans_pkey" PRIMARY KEY ("video_id","attempt")
);

CREATE TABLE "parts" (
    "video_id" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "unit" TEXT NOT NULL,
    "weight" DOUBLE PRECISION NOT NULL,
    "percent" INTEGER NOT NULL DEFAULT 0,
    "made" JSONB,

    CONSTRAINT "parts_pkey" PRIMARY KEY ("video_id","attempt","unit")
);

CREATE TABLE "ladders" (
    "video_id" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "document" JSONB NOT NULL,
    "ladder_key" TEXT NOT NULL,
    "thumbnail_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ladders_pkey" PRIMARY KEY ("video_id")
);
