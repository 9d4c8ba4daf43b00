-- AlterTable
ALTER TABLE "User" ADD COLUMN     "importedEmail" TEXT;

-- Until now, only the event of the import told the address.
UPDATE "User" u SET "importedEmail" = e.data->>'email'
FROM "Event" e WHERE e."subjectId" = u.id AND e.type = 'user.imported' AND e.data->>'email' IS NOT NULL;
