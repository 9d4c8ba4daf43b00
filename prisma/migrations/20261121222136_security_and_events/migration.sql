-- CreateEnum
CREATE TYPE "EmailSource" AS ENUM ('sign_up', 'provider', 'change');

-- AlterTable
ALTER TABLE "User" ADD COLUMN     "emailSource" "EmailSource" NOT NULL DEFAULT 'sign_up',
ADD COLUMN     "previousEmail" TEXT,
ADD COLUMN     "deviceGeneration" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "RevokedAdministrator" (
    "email" TEXT NOT NULL,
    "revokedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "RevokedAdministrator_pkey" PRIMARY KEY ("email")
);

-- CreateTable
CREATE TABLE "Event" (
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "actorId" TEXT,
    "subjectId" TEXT,
    "organizationId" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "ipAddress" TEXT NOT NULL,
    "userAgent" TEXT NOT NULL,
    "requestId" TEXT NOT NULL,
    "data" JSONB NOT NULL,

    CONSTRAINT "Event_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Event_subjectId_id_idx" ON "Event"("subjectId", "id");

-- CreateIndex
CREATE INDEX "Event_organizationId_id_idx" ON "Event"("organizationId", "id");

-- CreateIndex
CREATE INDEX "User_unverified" ON "User"("createdAt") WHERE (NOT "emailVerified");

-- CreateIndex
CREATE UNIQUE INDEX "User_previousEmail" ON "User"("previousEmail") WHERE ("previousEmail" IS NOT NULL);

-- AlterTable
ALTER TABLE "Customer" ADD COLUMN     "eventAt" TIMESTAMPTZ(3);

-- Accounts without a password that are verified took their address from a provider.
UPDATE "User" u SET "emailSource" = 'provider'
WHERE "emailVerified" AND NOT EXISTS (SELECT FROM "Account" a WHERE a."userId" = u.id AND a."providerId" = 'credential');

-- Customers of the payment provider are found by their address and their purchases from now on. Links to people were made by
-- an address that may belong to somebody else since. Purchases keep their owners.
UPDATE "Customer" SET "userId" = NULL WHERE "userId" IS NOT NULL;
