-- AlterTable
ALTER TABLE "User" ADD COLUMN     "promotedEmail" TEXT;

-- Administrators from before: the setting can only have promoted the address that they have.
UPDATE "User" SET "promotedEmail" = email WHERE role = 'admin';
