-- Names as the staff has spelt them in a video's captions, for later ones of the same publisher.
ALTER TABLE "caption_jobs" ADD COLUMN "fixed_names" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];
