CREATE TABLE "replaced_files" (
    "key" TEXT NOT NULL,
    "replaced_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "replaced_files_pkey" PRIMARY KEY ("key")
);
