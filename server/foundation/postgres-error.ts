/** The embedded PostgreSQL cannot run. The message states the reason and the remedy in one sentence. */
export class PostgresError extends Error {}
