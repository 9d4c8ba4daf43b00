-- AlterTable
ALTER TABLE "User" ADD COLUMN     "importedEmail" TEXT;

-- Until now, only the event of the import told the address.
UPDATE "User" u SET "importedEmail" = e.data->>'email'
FROM (
  SELECT DISTINCT ON ("subjectId") "subjectId", data FROM "Event"
  WHERE type = 'user.imported' AND data->>'email' IS NOT NULL ORDER BY "subjectId", id DESC) e
WHERE e."subjectId" = u.id;
