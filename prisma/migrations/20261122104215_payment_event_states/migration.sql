-- CreateEnum
CREATE TYPE "PaymentEventState" AS ENUM ('received', 'applied', 'unassigned', 'failed', 'dismissed');

-- DropIndex
DROP INDEX "WebhookEvent_open";

-- AlterTable
ALTER TABLE "WebhookEvent" ADD COLUMN     "customerId" TEXT,
ADD COLUMN     "paymentId" TEXT,
ADD COLUMN     "state" "PaymentEventState" NOT NULL DEFAULT 'received',
ADD COLUMN     "subscriptionId" TEXT;

-- AlterTable
ALTER TABLE "Customer" ADD COLUMN     "lostAt" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "Subscription" ADD COLUMN     "comparedAt" TIMESTAMPTZ(3),
ADD COLUMN     "pastDueEndsAt" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "CheckoutBinding" (
    "checkoutId" TEXT NOT NULL,
    "customerId" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "CheckoutBinding_pkey" PRIMARY KEY ("checkoutId")
);

-- The state of events from before this column follows from what was kept of them.
UPDATE "WebhookEvent" SET
    "state" = CASE
        WHEN "appliedAt" IS NOT NULL THEN 'applied'::"PaymentEventState"
        WHEN "failure" IS NOT NULL THEN 'failed'::"PaymentEventState"
        ELSE 'unassigned'::"PaymentEventState" END,
    "customerId" = left(coalesce("payload"->'data'->'customer'->>'customer_id', "payload"->'data'->>'customer_id'), 256),
    "paymentId" = left("payload"->'data'->>'payment_id', 256),
    "subscriptionId" = left("payload"->'data'->>'subscription_id', 256);

-- CreateIndex
CREATE INDEX "WebhookEvent_open" ON "WebhookEvent"("receivedAt", "id") WHERE (state IN ('unassigned', 'failed'));

-- CreateIndex
CREATE INDEX "WebhookEvent_received" ON "WebhookEvent"("receivedAt") WHERE (state = 'received');

-- CreateIndex
CREATE INDEX "WebhookEvent_waiting_customer" ON "WebhookEvent"("customerId") WHERE (state = 'unassigned');

-- CreateIndex
CREATE INDEX "WebhookEvent_waiting_payment" ON "WebhookEvent"("paymentId") WHERE (state = 'unassigned');

-- CreateIndex
CREATE INDEX "WebhookEvent_waiting_subscription" ON "WebhookEvent"("subscriptionId") WHERE (state = 'unassigned');

-- CreateIndex
CREATE INDEX "Subscription_comparedAt_subscriptionId_idx" ON "Subscription"("comparedAt", "subscriptionId");
