ALTER TABLE "publishers" ADD COLUMN "suspended_at" TIMESTAMPTZ(3);

ALTER TABLE "api_keys" ADD COLUMN "label" TEXT NOT NULL DEFAULT '';

CREATE TABLE "staff" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL CHECK (length("secret_hash") = 32),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "staff_pkey" PRIMARY KEY ("id")
);

-- A person has one token in force.
CREATE UNIQUE INDEX "staff_name_in_force" ON "staff"("name") WHERE "revoked_at" IS NULL;
