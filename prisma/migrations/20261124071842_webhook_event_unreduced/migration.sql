-- CreateIndex
CREATE INDEX "WebhookEvent_unreduced" ON "WebhookEvent"("receivedAt") WHERE (state IN ('applied', 'dismissed') AND NOT (payload ? 'isReduced'));
