-- DropIndex
DROP INDEX "Event_sign_ins";

-- CreateIndex
CREATE INDEX "Event_type_id_idx" ON "Event"("type", "id");
