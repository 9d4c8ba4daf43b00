-- AlterTable
ALTER TABLE "Customer" ADD COLUMN     "hasPrivatePurchases" BOOLEAN NOT NULL DEFAULT false;

-- Private purchases so far, of the present holders of the addresses.
UPDATE "Customer" c SET "hasPrivatePurchases" = true FROM "User" u
WHERE c."organizationId" IS NOT NULL AND u.email = c.email AND u."emailVerified"
  AND EXISTS (SELECT FROM "Payment" p WHERE p."customerId" = c."customerId" AND p."userId" = u.id AND p.status = 'succeeded');
