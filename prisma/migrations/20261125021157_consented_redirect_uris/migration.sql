-- AlterTable
ALTER TABLE "OAuthConsent" ADD COLUMN     "redirectUris" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- The users of these consents were sent to the redirect URIs that their clients have had so far.
UPDATE "OAuthConsent" c SET "redirectUris" = o."redirectUris" FROM "OAuthClient" o WHERE o.id = c."clientId";
