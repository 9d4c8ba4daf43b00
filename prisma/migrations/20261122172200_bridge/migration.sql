-- AlterTable
ALTER TABLE "Session" ADD COLUMN     "method" TEXT NOT NULL DEFAULT 'password';

-- AlterTable
ALTER TABLE "User" ADD COLUMN     "lastOrganizationId" TEXT;

-- CreateTable
CREATE TABLE "SigningKey" (
    "id" TEXT NOT NULL,
    "publicKey" JSONB NOT NULL,
    "privateKey" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "activeFrom" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SigningKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "OAuthClient" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "logo" TEXT,
    "secretHash" TEXT,
    "redirectUris" TEXT[],
    "postLogoutRedirectUris" TEXT[],
    "backchannelLogoutUri" TEXT,
    "grantTypes" TEXT[],
    "isFirstParty" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "OAuthClient_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "OAuthArtifact" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "clientId" TEXT,
    "grantId" TEXT,
    "userCodeHash" TEXT,
    "sessionId" TEXT,
    "userId" TEXT,
    "organizationId" TEXT,
    "sid" TEXT,
    "consumedAt" TIMESTAMPTZ(3),
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "OAuthArtifact_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "OAuthConsent" (
    "userId" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "scopes" TEXT[],
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "lastUsedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "OAuthConsent_pkey" PRIMARY KEY ("userId","clientId")
);

-- CreateTable
CREATE TABLE "LogoutNotice" (
    "id" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "nextTryAt" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "LogoutNotice_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ApiKey" (
    "id" TEXT NOT NULL,
    "name" TEXT,
    "keyHash" TEXT NOT NULL,
    "start" TEXT NOT NULL,
    "prefix" TEXT,
    "userId" TEXT NOT NULL,
    "organizationId" TEXT,
    "isEnabled" BOOLEAN NOT NULL DEFAULT true,
    "permissions" JSONB,
    "metadata" JSONB,
    "rateLimitMax" INTEGER NOT NULL,
    "rateLimitWindowMs" INTEGER NOT NULL,
    "isRateLimited" BOOLEAN NOT NULL DEFAULT true,
    "lastUsedAt" TIMESTAMPTZ(3),
    "requestCount" INTEGER NOT NULL DEFAULT 0,
    "expiresAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ApiKey_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "OAuthArtifact_userCodeHash_key" ON "OAuthArtifact"("userCodeHash");

-- CreateIndex
CREATE INDEX "OAuthArtifact_grantId_idx" ON "OAuthArtifact"("grantId");

-- CreateIndex
CREATE INDEX "OAuthArtifact_sessionId_clientId_idx" ON "OAuthArtifact"("sessionId", "clientId");

-- CreateIndex
CREATE INDEX "OAuthArtifact_userId_clientId_idx" ON "OAuthArtifact"("userId", "clientId");

-- CreateIndex
CREATE INDEX "OAuthArtifact_expiresAt_idx" ON "OAuthArtifact"("expiresAt");

-- CreateIndex
CREATE INDEX "OAuthConsent_clientId_idx" ON "OAuthConsent"("clientId");

-- CreateIndex
CREATE INDEX "LogoutNotice_nextTryAt_idx" ON "LogoutNotice"("nextTryAt");

-- CreateIndex
CREATE UNIQUE INDEX "ApiKey_keyHash_key" ON "ApiKey"("keyHash");

-- CreateIndex
CREATE INDEX "ApiKey_userId_createdAt_id_idx" ON "ApiKey"("userId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "ApiKey_organizationId_createdAt_id_idx" ON "ApiKey"("organizationId", "createdAt", "id");

-- AddForeignKey
ALTER TABLE "OAuthConsent" ADD CONSTRAINT "OAuthConsent_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "OAuthConsent" ADD CONSTRAINT "OAuthConsent_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES "OAuthClient"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ApiKey" ADD CONSTRAINT "ApiKey_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ApiKey" ADD CONSTRAINT "ApiKey_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The end of a session, by whatever statement, ends what the issuer gave out for it, and tells the applications. A trigger,
-- because sessions end in many places, also by the deletion of their user: none of them can be forgotten.
CREATE FUNCTION end_grants_of_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "LogoutNotice" (id, "clientId", "userId", "sessionId", "nextTryAt", "createdAt")
  SELECT gen_random_uuid()::text, ended.id, OLD."userId", ended.sid, now(), now()
  FROM (
    SELECT DISTINCT c.id, coalesce(a.sid, OLD.id) AS sid FROM "OAuthArtifact" a JOIN "OAuthClient" c ON c.id = a."clientId"
    WHERE a."sessionId" = OLD.id AND a.kind = 'Grant' AND c."backchannelLogoutUri" IS NOT NULL) AS ended;
  DELETE FROM "OAuthArtifact" WHERE "sessionId" = OLD.id;
  RETURN NULL;
END $$;

CREATE TRIGGER end_grants AFTER DELETE ON "Session" FOR EACH ROW EXECUTE FUNCTION end_grants_of_session();
