-- AlterTable
ALTER TABLE "OAuthConsent" ADD COLUMN     "organizationIds" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "resources" TEXT[] DEFAULT ARRAY[]::TEXT[];
