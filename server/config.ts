import { fileURLToPath } from 'node:url'
import { type Brand, paletteOf } from '../shared/brand.ts'
import { providerIds } from '../shared/provider.ts'
import { isLoopback } from './foundation/ip-address.ts'
import { readMailTexts } from './mail/custom-texts.ts'
import { providerSettingNames, readProviders } from './provider-settings.ts'
import { isReserved } from './reserved-paths.ts'
import type { SessionSettings } from './session/session-lifetime.ts'
import { Settings } from './settings.ts'
import { showSettings } from './shown-settings.ts'

/** The project folder. This file is one level below it, both in source (server/) and built (dist/). */
export const projectFolder = fileURLToPath(new URL('..', import.meta.url))

/** Names of all settings, for the test that compares them with `.env.example`. */
export const settingNames: string[] = [
  ...Object.keys(Settings.shape).filter((name) => name !== 'NODE_ENV'),
  ...providerSettingNames,
]

export type Config = Readonly<ReturnType<typeof readConfig>>

/** The settings are invalid. The message lists every problem, one per line. */
export class ConfigError extends Error {}

/** Whether this is production, for use before the settings have been read and if they are invalid. */
export function isProductionEnvironment(): boolean {
  return process.env['NODE_ENV'] === 'production'
}

type Environment = Record<string, string | undefined>

/** Environment variables through which the primary process passes values to the workers. */
const inherited = { databaseUrl: 'FOYER_DATABASE_URL', secret: 'FOYER_SECRET', build: 'FOYER_BUILD' }

/** `build` identifies the program that the primary process runs, with its migrations. */
export type Inherited = Record<keyof typeof inherited, string>

/** Environment variables for a worker process. */
export function inheritedEnv({ databaseUrl, secret, build }: Inherited): Environment {
  return { [inherited.databaseUrl]: databaseUrl, [inherited.secret]: secret, [inherited.build]: build }
}

/** Reads the values passed on by the primary process. */
export function readInherited(): Inherited {
  const read = (name: string) => process.env[name] ?? ''
  return { databaseUrl: read(inherited.databaseUrl), secret: read(inherited.secret), build: read(inherited.build) }
}

/** Reads settings from the environment, with units in their names. Throws one ConfigError that lists all problems. */
export function readConfig(environment: Environment = process.env) {
  const values = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = Settings.safeParse(values)
  const problems = parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `${String(path[0])}: ${message}`)
  const mail = readMailTexts(values['MAIL_TEXTS_DIR'])
  problems.push(...crossSettingProblems(values), ...mail.problems.map((problem) => `MAIL_TEXTS_DIR: ${problem}`))
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems.join('\n'))

  const settings = parsed.data
  const social = readProviders(values)
  const server = serverConfig(settings)
  const mailFrom =
    settings.MAIL_FROM ?? `${senderName(settings.PRODUCT_NAME)} <no-reply@${new URL(server.appOrigin).hostname}>`
  return Object.freeze({
    ...server,
    ...accountConfig(settings),
    ...organizationConfig(settings),
    ...paymentConfig(settings),
    /** The current settings, for administrators. Secrets without their values. */
    shown: showSettings(
      Object.keys(Settings.shape).filter((name) => name !== 'NODE_ENV'),
      { ...settings, APP_URL: server.appOrigin, MAIL_FROM: mailFrom },
      values,
    ),
    smtpUrl: settings.SMTP_URL,
    mailFrom,
    /** Texts of all emails, including the operator's own. */
    mailTexts: mail.texts,
    brand: {
      product: settings.PRODUCT_NAME,
      logoUrl: settings.LOGO_URL,
      supportEmail: settings.SUPPORT_EMAIL,
      colors: paletteOf(settings.ACCENT_COLOR),
    } satisfies Brand,
    socialSignUp: settings.SOCIAL_SIGN_UP,
    trustedProviders: settings.SOCIAL_TRUSTED_PROVIDERS,
    providers: social.providers,
    /** The enabled providers in the order in which screens show them. */
    shownProviders: [...new Set([...settings.SOCIAL_PROVIDERS, ...providerIds])].filter(
      (id) => social.providers[id] !== undefined,
    ),
    /** Features disabled because of incomplete settings, one sentence each, logged at startup. */
    warnings: [...social.warnings, ...paymentWarnings(settings), ...mailWarnings(settings, server.isProduction)],
  })
}

/** Addresses, databases, processes, and what is issued to other servers. */
function serverConfig(settings: Settings) {
  const isProduction = settings.NODE_ENV === 'production'
  const appOrigin = new URL(settings.APP_URL ?? `http://localhost:${settings.PORT}`).origin
  return {
    isProduction,
    port: settings.PORT,
    host: settings.HOST,
    metricsPort: settings.METRICS_PORT,
    drainSeconds: settings.DRAIN_SECONDS,
    webConcurrency: settings.WEB_CONCURRENCY,
    logLevel: settings.LOG_LEVEL,
    /** Scheme, host and port of the application. The only base for links in emails and redirects (SEC-31). */
    appOrigin,
    isHttps: appOrigin.startsWith('https:'),
    basePath: settings.AUTH_BASE_PATH,
    dataFolder: settings.DATA_DIR,
    databaseUrl: settings.DATABASE_URL,
    /** For migrations and jobs, which need connections of their own. */
    directDatabaseUrl: settings.DATABASE_DIRECT_URL,
    /** A standby that lists may be read from. */
    replicaDatabaseUrl: settings.DATABASE_REPLICA_URL,
    /** The first secret signs and encrypts, all verify and decrypt. */
    authSecrets: settings.AUTH_SECRET,
    trustedOrigins: settings.TRUSTED_ORIGINS,
    /** Parent domain that cookies are set on, so that applications on its other hosts send them too. */
    cookieDomain: settings.COOKIE_DOMAIN,
    /** Lifetime of access tokens: of `GET /token`, and of the issuer. Its id_tokens are valid for an hour. */
    tokenLifetimeSeconds: settings.TOKEN_LIFETIME,
    /** Audiences that tokens are issued for, besides the application's own origin. */
    tokenAudiences: settings.TOKEN_AUDIENCES,
    /** Whether calls to other servers may reach private IP addresses. */
    mayCallPrivateAddresses: settings.WEBHOOKS_ALLOW_PRIVATE,
    proxyHops: settings.TRUST_PROXY,
    hasRateLimit: settings.RATE_LIMIT,
    /** Development pages show emails and secrets. They are enabled only where no one else can reach Foyer (SEC-112). */
    hasDevelopmentPages: !isProduction && isLoopback(new URL(appOrigin).hostname),
    eventRetentionDays: settings.EVENT_RETENTION_DAYS,
  }
}

/** Accounts, their sign-in, and their sessions. */
function accountConfig(settings: Settings) {
  return {
    emailVerification: settings.EMAIL_VERIFICATION,
    mayDeleteUser: settings.DELETE_USER,
    mayChangeEmail: settings.CHANGE_EMAIL,
    sendsVerificationEmail: settings.VERIFICATION_EMAIL,
    mayResetPassword: settings.RESET_PASSWORD,
    mayUnlinkLastAccount: settings.ALLOW_UNLINK_LAST_ACCOUNT,
    verificationTokenLifetimeSeconds: settings.VERIFICATION_TOKEN_LIFETIME,
    resetTokenLifetimeSeconds: settings.RESET_TOKEN_LIFETIME,
    deleteTokenLifetimeSeconds: settings.DELETE_TOKEN_LIFETIME,
    socialStateLifetimeSeconds: settings.SOCIAL_STATE_LIFETIME,
    hasEmailPassword: settings.EMAIL_PASSWORD,
    emailCode: settings.EMAIL_CODE,
    /** Whether an emailed code may be the second step of a sign-in. */
    mayMailSecondFactor: settings.TWO_FACTOR_EMAIL,
    /** Whether administrators need a session with a second factor for their work. */
    requiresSecondFactorOfAdministrators: settings.ADMIN_SECOND_FACTOR,
    adminEmails: settings.ADMIN_EMAILS.map((email) => email.toLowerCase()),
    /** In code points. */
    passwordLength: { min: settings.PASSWORD_MIN, max: settings.PASSWORD_MAX },
    session: {
      lifetimeSeconds: settings.SESSION_LIFETIME,
      absoluteSeconds: settings.SESSION_ABSOLUTE_LIFETIME,
      updateAgeSeconds: settings.SESSION_UPDATE_AGE,
      extendsOnActivity: settings.SESSION_REFRESH,
      freshAgeSeconds: settings.FRESH_AGE,
    } satisfies SessionSettings,
    hasCookieCache: settings.COOKIE_CACHE,
    cookieCacheSeconds: settings.COOKIE_CACHE_MAX_AGE,
  }
}

function organizationConfig(settings: Settings) {
  return {
    mayCreateOrganizations: settings.ORGANIZATION_CREATION,
    /** Memberships with which a user may still create an organization. */
    organizationLimit: settings.ORGANIZATION_LIMIT,
    /** Members of one organization, unless an administrator has set another maximum for it. */
    membershipLimit: settings.MEMBERSHIP_LIMIT,
    invitationLifetimeSeconds: settings.INVITATION_LIFETIME,
    mayRemoveLastTeam: settings.ALLOW_REMOVE_LAST_TEAM,
  }
}

function paymentConfig(settings: Settings) {
  return {
    payments: readPayments(settings),
    /** Several keys during a rotation. Empty if the payment webhook is disabled. */
    paymentWebhookKeys: hasInvalidWebhookKey(settings) ? [] : settings.DODO_PAYMENTS_WEBHOOK_KEY,
    /** Whether payments are set up. Their webhook is nevertheless disabled if its key is missing or malformed. */
    expectsPaymentEvents: settings.DODO_PAYMENTS_API_KEY !== undefined || settings.DODO_PAYMENTS_WEBHOOK_KEY.length > 0,
    paymentGraceSeconds: settings.PAYMENT_GRACE,
    payloadRetentionDays: settings.PAYLOAD_RETENTION_DAYS,
  }
}

/** What is wrong with settings that are valid on their own. Each is a sentence after the setting's name. */
function crossSettingProblems(values: Environment): string[] {
  const problems: string[] = []
  const isProduction = values['NODE_ENV'] === 'production'
  const secret = values['AUTH_SECRET']
  const appUrl = URL.canParse(values['APP_URL'] ?? '') ? new URL(values['APP_URL'] ?? '') : undefined
  if (isProduction && secret === undefined)
    problems.push('AUTH_SECRET: is required in production (32 characters or more)')
  if (secret !== undefined && /change.?me|example|replace/i.test(secret))
    problems.push('AUTH_SECRET: is the example text')
  if (!isProduction && appUrl?.protocol === 'https:')
    problems.push('NODE_ENV: must be production when APP_URL is https, so that no development page is served')
  if (isProduction && appUrl && appUrl.protocol !== 'https:' && !isLoopback(appUrl.hostname))
    problems.push('APP_URL: must be https in production, or a loopback address')
  if (appUrl && (appUrl.pathname !== '/' || appUrl.search || appUrl.username))
    problems.push('APP_URL: must be an origin, without a path')
  const cookieDomain = values['COOKIE_DOMAIN']?.toLowerCase()
  const appHost = appUrl?.hostname ?? 'localhost'
  if (cookieDomain !== undefined && appHost !== cookieDomain && !appHost.endsWith(`.${cookieDomain}`))
    problems.push('COOKIE_DOMAIN: must be the host of APP_URL or a parent domain of it')
  const basePath = values['AUTH_BASE_PATH'] ?? ''
  if (isReserved(basePath)) {
    problems.push('AUTH_BASE_PATH: is used by other parts of Foyer')
  }
  return problems
}

function mailWarnings(settings: Settings, isProduction: boolean): string[] {
  const needsVerification = settings.EMAIL_VERIFICATION === 'required'
  return [
    ...(needsVerification && !settings.VERIFICATION_EMAIL
      ? ['email addresses cannot be verified: VERIFICATION_EMAIL is off while EMAIL_VERIFICATION is required']
      : []),
    ...(isProduction && !settings.SMTP_URL ? ['no emails are sent: SMTP_URL is missing'] : []),
  ]
}

function readPayments(settings: Settings) {
  if (!settings.DODO_PAYMENTS_API_KEY) return undefined
  return {
    apiKey: settings.DODO_PAYMENTS_API_KEY,
    baseUrl: settings.DODO_PAYMENTS_BASE_URL,
    environment: settings.DODO_PAYMENTS_ENVIRONMENT,
  }
}

/** The webhook needs only its own key. Checkout, portal, products and the nightly reconciliation need the API key. */
function paymentWarnings(settings: Settings): string[] {
  if (hasInvalidWebhookKey(settings)) {
    return ['the payment webhook is disabled: DODO_PAYMENTS_WEBHOOK_KEY contains a key that is not base64']
  }
  const hasKey = settings.DODO_PAYMENTS_API_KEY !== undefined
  const hasWebhook = settings.DODO_PAYMENTS_WEBHOOK_KEY.length > 0
  if (hasKey === hasWebhook) return []
  return hasKey
    ? ['the payment webhook is disabled: DODO_PAYMENTS_WEBHOOK_KEY is missing']
    : ['checkout, portal and products are disabled: DODO_PAYMENTS_API_KEY is missing']
}

function hasInvalidWebhookKey(settings: Settings): boolean {
  return settings.DODO_PAYMENTS_WEBHOOK_KEY.some((key) => !/^(?:whsec_)?[A-Za-z0-9+/]{16,}={0,2}$/.test(key))
}

/** A display name for an email address (RFC 5322): quoted if it has more than letters and digits. */
function senderName(name: string): string {
  return /^[\w ]+$/.test(name) ? name : JSON.stringify(name)
}
