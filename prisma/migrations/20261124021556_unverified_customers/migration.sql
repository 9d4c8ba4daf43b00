-- AlterTable
ALTER TABLE "Customer" ADD COLUMN     "isAddressUnverified" BOOLEAN NOT NULL DEFAULT false;
