-- AlterTable
ALTER TABLE "Organization" ADD COLUMN     "membershipLimit" INTEGER;
