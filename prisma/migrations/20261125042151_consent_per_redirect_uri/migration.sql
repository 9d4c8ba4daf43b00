-- AlterTable
ALTER TABLE "OAuthConsent" DROP CONSTRAINT "OAuthConsent_pkey",
ADD COLUMN     "redirectUri" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "organizationId" TEXT NOT NULL DEFAULT '';

-- One row for each redirect URI and organization of a consent. Those without any were given to devices, or without an
-- organization.
WITH former AS (DELETE FROM "OAuthConsent" RETURNING *)
INSERT INTO "OAuthConsent" ("userId", "clientId", "redirectUri", "organizationId", "scopes", "resources", "createdAt", "lastUsedAt")
SELECT "userId", "clientId", "uri", "named", "scopes", "resources", "createdAt", "lastUsedAt"
FROM former,
  unnest(CASE WHEN "redirectUris" = '{}' THEN ARRAY[''] ELSE "redirectUris" END) AS "uri",
  unnest(CASE WHEN "organizationIds" = '{}' THEN ARRAY[''] ELSE "organizationIds" END) AS "named"
ON CONFLICT DO NOTHING;

-- AlterTable
ALTER TABLE "OAuthConsent" DROP COLUMN "organizationIds",
DROP COLUMN "redirectUris",
ALTER COLUMN "redirectUri" DROP DEFAULT,
ALTER COLUMN "organizationId" DROP DEFAULT,
ADD CONSTRAINT "OAuthConsent_pkey" PRIMARY KEY ("userId", "clientId", "redirectUri", "organizationId");
