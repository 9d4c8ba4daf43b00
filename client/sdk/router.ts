/** The API. `npm run package` puts a description of it here that needs no source of the server. */
export type { AppRouter } from '../../server/router.ts'
