-- AlterTable
ALTER TABLE "OAuthConsent" ADD COLUMN     "redirectUris" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- So far, a consent covered all redirect URIs of its client, whichever its user was sent to.
UPDATE "OAuthConsent" c SET "redirectUris" = o."redirectUris" FROM "OAuthClient" o WHERE o.id = c."clientId";
