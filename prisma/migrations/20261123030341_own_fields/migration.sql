-- AlterTable
ALTER TABLE "User" ADD COLUMN     "metadata" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "privateMetadata" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "Organization" ADD COLUMN     "privateMetadata" JSONB NOT NULL DEFAULT '{}';

-- CreateIndex
CREATE INDEX "ApiKey_createdAt_id_idx" ON "ApiKey"("createdAt", "id");
