-- CreateEnum
CREATE TYPE "EmailSource" AS ENUM ('sign_up', 'provider', 'change');

-- AlterTable
ALTER TABLE "User" ADD COLUMN     "emailSource" "EmailSource" NOT NULL DEFAULT 'sign_up',
ADD COLUMN     "previousEmail" TEXT,
ADD COLUMN     "promotedAt" TIMESTAMPTZ(3);

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
CREATE INDEX "User_previousEmail" ON "User"("previousEmail") WHERE ("previousEmail" IS NOT NULL);

-- CreateIndex
CREATE INDEX "WebhookEvent_received" ON "WebhookEvent" USING BRIN ("receivedAt");

-- Accounts without a password that are verified took their address from a provider.
UPDATE "User" u SET "emailSource" = 'provider'
WHERE "emailVerified" AND NOT EXISTS (SELECT FROM "Account" a WHERE a."userId" = u.id AND a."providerId" = 'credential');

-- Whoever is an administrator already is not promoted again by ADMIN_EMAILS.
UPDATE "User" SET "promotedAt" = "createdAt" WHERE role = 'admin';

-- A customer of the payment provider that was linked because its address was a user's is found by that address from now on.
UPDATE "Customer" c SET "userId" = NULL FROM "User" u WHERE c."userId" = u.id AND c.email = u.email;
