-- AlterTable
ALTER TABLE "Subscription" ADD COLUMN     "statusSince" TIMESTAMPTZ(3);
