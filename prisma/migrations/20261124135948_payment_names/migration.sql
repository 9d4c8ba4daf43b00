-- Events of the payment provider are not those that are sent to webhook endpoints.
ALTER TABLE "WebhookEvent" RENAME TO "PaymentEvent";
ALTER TABLE "PaymentEvent" RENAME CONSTRAINT "WebhookEvent_pkey" TO "PaymentEvent_pkey";
ALTER INDEX "WebhookEvent_type_receivedAt_idx" RENAME TO "PaymentEvent_type_receivedAt_idx";
ALTER INDEX "WebhookEvent_subjectId_idx" RENAME TO "PaymentEvent_subjectId_idx";
ALTER INDEX "WebhookEvent_open" RENAME TO "PaymentEvent_open";
ALTER INDEX "WebhookEvent_received" RENAME TO "PaymentEvent_received";
ALTER INDEX "WebhookEvent_unreduced" RENAME TO "PaymentEvent_unreduced";
ALTER INDEX "WebhookEvent_waiting_customer" RENAME TO "PaymentEvent_waiting_customer";
ALTER INDEX "WebhookEvent_waiting_payment" RENAME TO "PaymentEvent_waiting_payment";
ALTER INDEX "WebhookEvent_waiting_subscription" RENAME TO "PaymentEvent_waiting_subscription";

-- It also holds other calls to the provider than checkouts.
ALTER TABLE "PendingCheckout" RENAME TO "ProviderRequest";
ALTER TABLE "ProviderRequest" RENAME CONSTRAINT "PendingCheckout_pkey" TO "ProviderRequest_pkey";
ALTER TABLE "ProviderRequest" RENAME COLUMN "purchaseKey" TO "key";
ALTER TABLE "ProviderRequest" RENAME COLUMN "checkoutUrl" TO "result";
ALTER INDEX "PendingCheckout_purchaseKey_key" RENAME TO "ProviderRequest_key_key";
ALTER INDEX "PendingCheckout_expiresAt_idx" RENAME TO "ProviderRequest_expiresAt_idx";

ALTER TABLE "Customer" RENAME COLUMN "toldEmail" TO "lastSentEmail";
ALTER TABLE "Customer" RENAME COLUMN "lostAt" TO "missingSince";
ALTER TABLE "Customer" RENAME COLUMN "movedFromId" TO "transferredFromUserId";
ALTER TABLE "Subscription" RENAME COLUMN "seatsTriedAt" TO "seatsRequestedAt";
ALTER TABLE "WebhookEndpoint" RENAME COLUMN "formerSecret" TO "previousSecret";
ALTER TABLE "WebhookEndpoint" RENAME COLUMN "formerUntil" TO "previousSecretExpiresAt";
