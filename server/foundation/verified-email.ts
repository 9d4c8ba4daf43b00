/**
 * The email addresses of a user: the current one, whether it is verified, and the last verified one while a change to
 * the current one is not (otherwise null). Anyone can enter an address, so only a verified one identifies its user
 * (SEC-121).
 */
type UserEmails = { email: string; emailVerified: boolean; previousEmail: string | null }

/** The address that others see and that emails go to: the last verified one while a change is unverified. */
export function displayEmail({ email, previousEmail }: Pick<UserEmails, 'email' | 'previousEmail'>): string {
  return previousEmail ?? email
}

/** Whether the address that others see was verified. */
export function hasVerifiedEmail({ emailVerified, previousEmail }: Omit<UserEmails, 'email'>): boolean {
  return emailVerified || previousEmail !== null
}

/** The verified address. Null if the user never verified one. */
export function verifiedEmail(user: UserEmails): string | null {
  return hasVerifiedEmail(user) ? displayEmail(user) : null
}

/**
 * Whether an address is the user's: verified, or kept for the user while a change from it is unverified. A user who has
 * only entered it does not own it.
 */
export function isEmailOfUser(user: UserEmails, email: string): boolean {
  return (user.emailVerified && user.email === email) || user.previousEmail === email
}

/** `displayEmail` in SQL, for the row of a user with this alias. */
export const displayEmailSql = (user: string) => `coalesce(${user}."previousEmail", ${user}.email)`

/** `hasVerifiedEmail` in SQL, for the row of a user with this alias. */
export const hasVerifiedEmailSql = (user: string) => `(${user}."emailVerified" or ${user}."previousEmail" is not null)`
