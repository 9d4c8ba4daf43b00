-- AlterTable
ALTER TABLE "Organization" ADD COLUMN     "secondFactorFrom" TIMESTAMPTZ(3);
