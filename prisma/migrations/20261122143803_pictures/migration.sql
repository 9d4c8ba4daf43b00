-- CreateTable
CREATE TABLE "Picture" (
    "id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "bytes" BYTEA NOT NULL,
    "type" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Picture_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Picture_createdAt_idx" ON "Picture"("createdAt");

-- CreateIndex
CREATE INDEX "User_image_idx" ON "User" USING HASH ("image");

-- CreateIndex
CREATE INDEX "Organization_logo_idx" ON "Organization" USING HASH ("logo");
