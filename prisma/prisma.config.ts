import { defineConfig } from 'prisma/config'

// Prisma's own commands find the schema here (`npx prisma … --config prisma/prisma.config.ts`). Migrations are applied
// by prisma/migrate.ts and not by Prisma's binary engine, so no URL is needed.
export default defineConfig({
  schema: 'schema.prisma',
  migrations: { path: 'migrations' },
})
