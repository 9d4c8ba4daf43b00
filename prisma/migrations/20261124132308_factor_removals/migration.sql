-- CreateTable
CREATE TABLE "FactorRemoval" (
    "userId" TEXT NOT NULL,
    "startedBy" TEXT NOT NULL,
    "removeAt" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "FactorRemoval_pkey" PRIMARY KEY ("userId")
);

-- CreateIndex
CREATE INDEX "FactorRemoval_removeAt_idx" ON "FactorRemoval"("removeAt");

-- AddForeignKey
ALTER TABLE "FactorRemoval" ADD CONSTRAINT "FactorRemoval_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Pending removals move to their own table. Rows of users without an authenticator app only stored the removal.
INSERT INTO "FactorRemoval" ("userId", "startedBy", "removeAt", "createdAt")
SELECT "userId", coalesce("removalBy", ''), "removalAt", "updatedAt" FROM "TwoFactor" t
WHERE "removalAt" IS NOT NULL
  AND EXISTS (SELECT FROM "User" u WHERE u.id = t."userId"
    AND (u."twoFactorEnabled" OR EXISTS (SELECT FROM "Passkey" p WHERE p."userId" = u.id)));

DELETE FROM "TwoFactor" WHERE "secret" IS NULL AND "pendingSecret" IS NULL;

-- DropIndex
DROP INDEX "TwoFactor_removalAt_idx";

-- AlterTable
ALTER TABLE "TwoFactor" DROP COLUMN "removalAt",
DROP COLUMN "removalBy";
