-- The default is set afterwards, so that the table is not written anew: former events have no position, and come first.
CREATE SEQUENCE "Event_position_seq";
ALTER TABLE "Event" ADD COLUMN "position" bigint, ADD COLUMN "sequence" bigint;
ALTER TABLE "Event" ALTER COLUMN "position" SET DEFAULT nextval('"Event_position_seq"'::regclass);
ALTER SEQUENCE "Event_position_seq" OWNED BY "Event"."position";

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
CREATE UNIQUE INDEX "Event_sequence_key" ON "Event"("sequence");

-- CreateIndex
CREATE INDEX "Event_unnumbered" ON "Event"("position" NULLS FIRST, "id") WHERE (sequence IS NULL);

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
