CREATE TABLE "replaced_files" (
    "key" TEXT NOT NULL,
    "replaced_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "replaced_files_pkey" PRIMARY KEY ("key")
);

CREATE TABLE "deleted_videos" (
    "video_id" TEXT NOT NULL,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deleted_videos_pkey" PRIMARY KEY ("video_id")
);
