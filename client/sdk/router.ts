/** The API. `npm run package` replaces this with a description that needs no source of the server. */
export type { AppRouter } from '../../server/router.ts'
