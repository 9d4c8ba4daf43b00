-- AlterTable
ALTER TABLE "ApiKey" ADD COLUMN     "isStrong" BOOLEAN NOT NULL DEFAULT false;
