-- CreateIndex
CREATE INDEX "Event_sign_ins" ON "Event"("id") WHERE (type = 'user.signed_in');

-- CreateIndex
CREATE INDEX "Organization_createdAt_id_idx" ON "Organization"("createdAt", "id");

-- CreateIndex
CREATE INDEX "Organization_name_id_idx" ON "Organization"("name", "id");

-- CreateIndex
CREATE INDEX "Organization_search" ON "Organization" USING GIN ("name" gin_trgm_ops, "slug" gin_trgm_ops);
