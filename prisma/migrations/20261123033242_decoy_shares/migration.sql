-- Made anew from the accounts, without their salts.
DELETE FROM "PasswordDecoy";

-- AlterTable
ALTER TABLE "PasswordDecoy" ADD COLUMN     "left" DOUBLE PRECISION NOT NULL DEFAULT 0,
ADD COLUMN     "place" SERIAL NOT NULL,
ADD COLUMN     "share" DOUBLE PRECISION NOT NULL DEFAULT 0;

-- CreateIndex
CREATE INDEX "Account_foreign_password" ON "Account"("providerId") WHERE (password IS NOT NULL AND password NOT LIKE '$argon2id$v=19$m=19456,t=2,p=1$%');

-- CreateIndex
CREATE UNIQUE INDEX "PasswordDecoy_place_key" ON "PasswordDecoy"("place");
