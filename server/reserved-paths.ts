/** Paths below which other parts of Foyer answer, as mounted in `createApp`. */
const reservedBelow = ['/api/trpc', '/api/health', '/api/webhooks', '/api/docs', '/oauth', '/dev']

/**
 * Paths of other parts and of screens, which would answer 404 if AUTH_BASE_PATH were one of them. A test compares them
 * with the client's routes and the server's.
 */
const reservedPaths = new Set(
  `/api /api/pictures /api/payments /api/events /api/forward-auth /assets
  /admin /billing /check-mail /consent /delete-account /device /error /forgot-password /invitation /magic-link /o /organizations
  /reauthenticated /reset-password /settings /sign-in /sign-in-code /sign-out /sign-up /two-factor /verified /verify`.split(
    /\s+/,
  ),
)

/** Whether a path belongs to another part of Foyer, so that it cannot be AUTH_BASE_PATH. */
export function isReserved(path: string): boolean {
  return reservedPaths.has(path) || reservedBelow.some((used) => path === used || path.startsWith(`${used}/`))
}
