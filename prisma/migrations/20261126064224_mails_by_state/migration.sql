-- CreateIndex
CREATE INDEX "Mail_waiting" ON "Mail"("createdAt", "id") WHERE ("deliveredAt" IS NULL AND "givenUpAt" IS NULL);

-- CreateIndex
CREATE INDEX "Mail_given_up" ON "Mail"("createdAt", "id") WHERE ("deliveredAt" IS NULL AND "givenUpAt" IS NOT NULL);

-- DropIndex. Last, because it locks the table until the migration is committed.
DROP INDEX "Mail_undelivered";
