-- AlterTable
ALTER TABLE "Event" ADD COLUMN     "transactionId" xid8 NOT NULL DEFAULT pg_current_xact_id();

-- CreateTable
CREATE TABLE "WebhookEndpoint" (
    "id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "types" TEXT[],
    "description" TEXT NOT NULL,
    "isEnabled" BOOLEAN NOT NULL DEFAULT true,
    "secret" TEXT NOT NULL,
    "formerSecret" TEXT,
    "formerUntil" TIMESTAMPTZ(3),
    "failingSince" TIMESTAMPTZ(3),
    "createdBy" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "WebhookEndpoint_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WebhookDelivery" (
    "id" TEXT NOT NULL,
    "endpointId" TEXT NOT NULL,
    "eventId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "deliveredAt" TIMESTAMPTZ(3),
    "responseStatus" INTEGER,
    "response" TEXT,
    "failure" TEXT,
    "nextTryAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "WebhookDelivery_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "WebhookDelivery_endpointId_id_idx" ON "WebhookDelivery"("endpointId", "id");

-- CreateIndex
CREATE INDEX "WebhookDelivery_due" ON "WebhookDelivery"("endpointId", "nextTryAt") WHERE ("nextTryAt" IS NOT NULL);

-- CreateIndex
CREATE INDEX "Event_transactionId_id_idx" ON "Event"("transactionId", "id");

-- Queues each event for the endpoints that want it, in the transaction of the event: a delivery exists exactly if its event does.
-- A test is queued by hand, for one endpoint.
CREATE FUNCTION "queue_webhook_deliveries"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "WebhookDelivery" (id, "endpointId", "eventId", type, "nextTryAt", "createdAt")
  SELECT event.id || '.' || endpoint.id, endpoint.id, event.id, event.type, event.at, event.at
  FROM added event JOIN "WebhookEndpoint" endpoint
    ON endpoint."isEnabled" AND (cardinality(endpoint.types) = 0 OR event.type = ANY (endpoint.types))
  WHERE event.type <> 'webhook.test';
  RETURN NULL;
END $$;

CREATE TRIGGER "Event_webhooks" AFTER INSERT ON "Event"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "queue_webhook_deliveries"();
