/**
 * Loads `@simplewebauthn/server` on first use: it takes 28 MB and 0.3 s, which an installation without passkeys does
 * not need.
 */
export const loadWebAuthn = () => import('@simplewebauthn/server')
