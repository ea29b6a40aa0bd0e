ALTER TABLE "transcribed_chunks" ADD COLUMN "english" JSONB;
