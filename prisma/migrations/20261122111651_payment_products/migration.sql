-- AlterTable
ALTER TABLE "Subscription" ADD COLUMN     "trialRemindedAt" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "Product" (
    "productId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "features" TEXT[],
    "hasSeats" BOOLEAN NOT NULL,
    "seatLimit" INTEGER,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Product_pkey" PRIMARY KEY ("productId")
);

-- CreateIndex
CREATE INDEX "Payment_createdAt_paymentId_idx" ON "Payment"("createdAt", "paymentId");

-- CreateIndex
CREATE INDEX "Payment_status_createdAt_idx" ON "Payment"("status", "createdAt");
