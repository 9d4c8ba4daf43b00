-- CreateIndex
CREATE INDEX "User_updatedAt_id_idx" ON "User"("updatedAt", "id");

-- CreateIndex
CREATE INDEX "User_role_id_idx" ON "User"("role", "id");

-- CreateIndex
CREATE INDEX "User_emailVerified_id_idx" ON "User"("emailVerified", "id");

-- CreateIndex
CREATE INDEX "User_bannedAt_id_idx" ON "User"("bannedAt", "id");
