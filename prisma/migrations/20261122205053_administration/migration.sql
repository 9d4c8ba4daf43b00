-- Part of PostgreSQL ("contrib"), and trusted: the owner of the database may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- AlterTable
ALTER TABLE "Session" ADD COLUMN     "impersonatedBy" TEXT,
ADD COLUMN     "impersonatorSessionId" TEXT;

-- CreateIndex
CREATE INDEX "Session_impersonatedBy_idx" ON "Session"("impersonatedBy") WHERE ("impersonatedBy" IS NOT NULL);

-- CreateIndex
CREATE INDEX "Session_impersonatorSessionId_idx" ON "Session"("impersonatorSessionId") WHERE ("impersonatorSessionId" IS NOT NULL);

-- CreateIndex
CREATE INDEX "User_createdAt_id_idx" ON "User"("createdAt", "id");

-- CreateIndex
CREATE INDEX "User_name_id_idx" ON "User"("name", "id");

-- CreateIndex
CREATE INDEX "User_search" ON "User" USING GIN ("email" gin_trgm_ops, "name" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "User_administrators" ON "User"("createdAt", "id") WHERE (role = 'admin');

-- CreateIndex
CREATE INDEX "User_banned" ON "User"("createdAt", "id") WHERE ("bannedAt" IS NOT NULL);

-- AddForeignKey
ALTER TABLE "Session" ADD CONSTRAINT "Session_impersonatedBy_fkey" FOREIGN KEY ("impersonatedBy") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Session" ADD CONSTRAINT "Session_impersonatorSessionId_fkey" FOREIGN KEY ("impersonatorSessionId") REFERENCES "Session"("id") ON DELETE CASCADE ON UPDATE CASCADE;
