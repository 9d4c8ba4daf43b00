-- AlterTable
ALTER TABLE "OAuthConsent" DROP CONSTRAINT "OAuthConsent_pkey",
ADD COLUMN     "resource" TEXT NOT NULL DEFAULT '';

-- One row for each API of a consent.
WITH former AS (DELETE FROM "OAuthConsent" RETURNING *)
INSERT INTO "OAuthConsent" ("userId", "clientId", "redirectUri", "organizationId", "resource", "scopes", "createdAt", "lastUsedAt")
SELECT DISTINCT "userId", "clientId", "redirectUri", "organizationId", "api", "scopes", "createdAt", "lastUsedAt"
FROM former, unnest(CASE WHEN "resources" = '{}' THEN ARRAY[''] ELSE "resources" END) AS "api";

-- AlterTable
ALTER TABLE "OAuthConsent" DROP COLUMN "resources",
ALTER COLUMN "resource" DROP DEFAULT,
ADD CONSTRAINT "OAuthConsent_pkey" PRIMARY KEY ("userId", "clientId", "redirectUri", "organizationId", "resource");

-- CreateIndex
CREATE INDEX "OAuthConsent_organization" ON "OAuthConsent"("organizationId") WHERE ("organizationId" <> '');
