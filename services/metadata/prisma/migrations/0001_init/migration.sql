CREATE TABLE "analyses" (
    "video_id" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "span" INTEGER NOT NULL,
    "analysis" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "analyses_pkey" PRIMARY KEY ("video_id","attempt","span")
);

CREATE TABLE "revisions" (
    "video_id" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "revision" INTEGER NOT NULL,
    "document" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "revisions_pkey" PRIMARY KEY ("video_id","attempt","revision")
);
