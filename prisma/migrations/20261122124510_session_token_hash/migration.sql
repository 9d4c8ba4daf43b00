-- The hash of the session token, as the code calls it. Renamed, so that every session continues.
ALTER TABLE "Session" RENAME COLUMN "secretHash" TO "tokenHash";

-- RenameIndex
ALTER INDEX "Session_secretHash_key" RENAME TO "Session_tokenHash_key";
