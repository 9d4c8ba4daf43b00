-- AlterTable
ALTER TABLE "Customer" ADD COLUMN     "movedFromId" TEXT,
ADD COLUMN     "toldEmail" TEXT;

-- Customers that earlier versions made with an address which its user has not verified.
UPDATE "Customer" c SET "isAddressUnverified" = true FROM "User" u
WHERE NOT u."emailVerified" AND u.email = c.email AND (u.id = c."userId" OR EXISTS (
  SELECT FROM "Member" m WHERE m."organizationId" = c."organizationId" AND m."userId" = u.id));

-- An address of a customer that is a user's was told for that user.
UPDATE "Customer" c SET "toldEmail" = c.email
WHERE (c."userId" IS NOT NULL OR c."organizationId" IS NOT NULL)
  AND EXISTS (SELECT FROM "User" u WHERE u.email = c.email OR u."previousEmail" = c.email);

-- CreateIndex
CREATE INDEX "Customer_customerId_idx" ON "Customer"("customerId") WHERE ("isAddressUnverified");
