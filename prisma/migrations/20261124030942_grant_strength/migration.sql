-- AlterTable
ALTER TABLE "OAuthArtifact" ADD COLUMN     "isStrong" BOOLEAN NOT NULL DEFAULT false;

-- Grants of sessions that have a second factor now keep what they had before this version.
UPDATE "OAuthArtifact" a SET "isStrong" = true FROM "Session" s
WHERE a.kind = 'Grant' AND s.id = a."sessionId" AND s."secondFactor" IS NOT NULL AND s."secondFactor" <> 'email_code';
