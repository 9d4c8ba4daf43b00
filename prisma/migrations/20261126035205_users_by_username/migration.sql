-- CreateIndex
CREATE INDEX "User_username_id_idx" ON "User"("username", "id");
