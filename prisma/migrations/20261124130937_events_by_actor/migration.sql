-- CreateIndex
CREATE INDEX "Event_actorId_id_idx" ON "Event"("actorId", "id");
