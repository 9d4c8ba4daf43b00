-- AlterTable
ALTER TABLE "TwoFactor" ADD COLUMN     "removalAt" TIMESTAMPTZ(3),
ADD COLUMN     "removalBy" TEXT;

-- CreateIndex
CREATE INDEX "TwoFactor_removalAt_idx" ON "TwoFactor"("removalAt") WHERE ("removalAt" IS NOT NULL);
