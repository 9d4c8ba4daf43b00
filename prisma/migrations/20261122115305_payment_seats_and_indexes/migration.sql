-- Rows that were never compared come first.
UPDATE "Subscription" SET "comparedAt" = 'epoch' WHERE "comparedAt" IS NULL;

-- AlterTable
ALTER TABLE "Subscription" ADD COLUMN     "seatsRequested" INTEGER,
ADD COLUMN     "seatsTriedAt" TIMESTAMPTZ(3),
ALTER COLUMN "comparedAt" SET NOT NULL,
ALTER COLUMN "comparedAt" SET DEFAULT 'epoch';

-- CreateIndex
CREATE INDEX "Subscription_productId_status_idx" ON "Subscription"("productId", "status");

-- CreateIndex
CREATE INDEX "LicenseKey_paymentId_idx" ON "LicenseKey"("paymentId");

-- CreateIndex
CREATE INDEX "LicenseKey_subscriptionId_idx" ON "LicenseKey"("subscriptionId");
