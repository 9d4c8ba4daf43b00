-- CreateIndex
CREATE INDEX "ApiKey_search" ON "ApiKey" USING GIN ("name" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "ApiKey_start" ON "ApiKey"("start" text_pattern_ops);
