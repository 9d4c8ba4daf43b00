-- AlterTable
ALTER TABLE "OAuthConsent" DROP CONSTRAINT "OAuthConsent_pkey",
ADD COLUMN     "resource" TEXT NOT NULL DEFAULT '';

-- The former rows have the scopes and the APIs of several requests, but not which of them belonged together. Their
-- scopes are kept without an API. Each API is kept without scopes, which covers no request: the list of connected
-- applications shows it, and the next request for it asks once.
WITH former AS (DELETE FROM "OAuthConsent" RETURNING *)
INSERT INTO "OAuthConsent" ("userId", "clientId", "redirectUri", "organizationId", "resource", "scopes", "createdAt", "lastUsedAt")
SELECT "userId", "clientId", "redirectUri", "organizationId", '', "scopes", "createdAt", "lastUsedAt" FROM former
UNION ALL
SELECT DISTINCT "userId", "clientId", "redirectUri", "organizationId", "api", '{}'::text[], "createdAt", "lastUsedAt"
FROM former, unnest(array_remove("resources", NULL)) AS "api" WHERE "api" <> '';

-- AlterTable
ALTER TABLE "OAuthConsent" DROP COLUMN "resources",
ALTER COLUMN "resource" DROP DEFAULT,
ADD CONSTRAINT "OAuthConsent_pkey" PRIMARY KEY ("userId", "clientId", "redirectUri", "organizationId", "resource");

-- CreateIndex
CREATE INDEX "OAuthConsent_organization" ON "OAuthConsent"("organizationId") WHERE ("organizationId" <> '');
