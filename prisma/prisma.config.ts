import { defineConfig } from 'prisma/config'

// Prisma's own commands find the schema here (`npx prisma … --config prisma/prisma.config.ts`). Migrations do not go
// through Prisma's binary engine but through prisma/migrate.ts, so no URL stands here.
export default defineConfig({
  schema: 'schema.prisma',
  migrations: { path: 'migrations' },
})
