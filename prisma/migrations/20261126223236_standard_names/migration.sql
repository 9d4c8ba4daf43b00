-- Names only: no data changes.
ALTER TABLE "ProviderRequest" RENAME TO "Lease";
ALTER TABLE "Lease" RENAME CONSTRAINT "ProviderRequest_pkey" TO "Lease_pkey";
ALTER INDEX "ProviderRequest_key_key" RENAME TO "Lease_key_key";
ALTER INDEX "ProviderRequest_expiresAt_idx" RENAME TO "Lease_expiresAt_idx";

ALTER TABLE "Limit" RENAME TO "RateLimitCounter";
ALTER TABLE "RateLimitCounter" RENAME CONSTRAINT "Limit_pkey" TO "RateLimitCounter_pkey";
ALTER INDEX "Limit_expiresAt_idx" RENAME TO "RateLimitCounter_expiresAt_idx";

ALTER TABLE "User" RENAME COLUMN "deviceGeneration" TO "passwordVersion";
ALTER TABLE "TwoFactor" RENAME COLUMN "generation" TO "trustId";
ALTER TABLE "TwoFactor" RENAME COLUMN "lastStep" TO "lastTimeStep";
ALTER TABLE "ApiKey" RENAME COLUMN "isStrong" TO "createdWithSecondFactor";
ALTER TABLE "OAuthArtifact" RENAME COLUMN "isStrong" TO "createdWithSecondFactor";
ALTER TABLE "PaymentEvent" RENAME COLUMN "failure" TO "stateReason";
ALTER TABLE "Customer" RENAME COLUMN "isAddressUnverified" TO "isEmailUnverified";
ALTER TABLE "Customer" RENAME COLUMN "hasPrivatePurchases" TO "hasPersonalPurchases";

ALTER TABLE "PasswordDecoy" RENAME COLUMN "place" TO "position";
ALTER TABLE "PasswordDecoy" RENAME COLUMN "share" TO "maxShare";
ALTER TABLE "PasswordDecoy" RENAME COLUMN "left" TO "remainingShare";
ALTER INDEX "PasswordDecoy_place_key" RENAME TO "PasswordDecoy_position_key";
ALTER SEQUENCE "PasswordDecoy_place_seq" RENAME TO "PasswordDecoy_position_seq";

ALTER TABLE "Mail" RENAME COLUMN "deliveredAt" TO "sentAt";
ALTER TABLE "Mail" RENAME COLUMN "givenUpAt" TO "rejectedAt";
ALTER INDEX "Mail_given_up" RENAME TO "Mail_rejected";
