-- The address that ADMIN_EMAILS had promoted is the first of those that an administrator may leave.
ALTER TABLE "User" ADD COLUMN "formerAdminEmails" TEXT[] DEFAULT ARRAY[]::TEXT[];

UPDATE "User" SET "formerAdminEmails" = ARRAY["promotedEmail"] WHERE "promotedEmail" IS NOT NULL;

ALTER TABLE "User" DROP COLUMN "promotedEmail";
