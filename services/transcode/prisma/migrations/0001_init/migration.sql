CREATE TABLE "plans" (
    "video_id" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "plan" JSONB NOT NULL,
    "source_key" TEXT NOT NULL,
    "provisional" BOOLEAN NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "plans_pkey" PRIMARY KEY ("video_id","attempt")
);

CREATE TABLE "job_results" (
    "video_id" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "job" TEXT NOT NULL,
    "weight" DOUBLE PRECISION NOT NULL,
    "percent" INTEGER NOT NULL DEFAULT 0,
    "result" JSONB,

    CONSTRAINT "job_results_pkey" PRIMARY KEY ("video_id","attempt","job")
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
