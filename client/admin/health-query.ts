import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'

/** The report of /api/health. Without a database it has neither migrations, jobs nor emails. */
const Report = z.object({
  status: z.enum(['ok', 'degraded', 'unavailable', 'draining']),
  version: z.string().optional(),
  commit: z.string().nullish(),
  database: z.enum(['ok', 'unavailable']).optional(),
  migrations: z.enum(['ok', 'missing']).optional(),
  outbox: z.object({ status: z.enum(['ok', 'delayed']), waiting: z.number(), oldestSeconds: z.number() }).optional(),
  jobs: z.enum(['ok', 'stalled']).optional(),
})
export type HealthReport = z.output<typeof Report>

/** The health of the installation. An unhealthy server answers 503 with the same report. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: async () => Report.parse(await (await fetch('/api/health')).json()),
})
