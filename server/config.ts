import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { providerIds, type ProviderId } from '../shared/account.ts'
import { accentProblem, type Brand, defaultProduct, paletteOf } from '../shared/brand.ts'
import { isLoopback } from './foundation/address.ts'
import { readMailTexts } from './mail/own-texts.ts'

/** The project folder. This file is one level below it, both in source (server/) and built (dist/). */
export const projectFolder = fileURLToPath(new URL('..', import.meta.url))

/** Ten years in seconds. Longer durations are probably a mistake in the unit. */
const longest = 315_360_000

const Secret = z.string().min(32, 'each secret must have at least 32 characters')

/** All settings by environment variable. `.env.example` lists the same names (enforced by a test). */
const Settings = z.object({
  NODE_ENV: z.string().optional(),
  PORT: whole(0, 65_535).default(3000),
  HOST: z.string().min(1).optional(),
  APP_URL: z.url({ protocol: /^https?$/ }).optional(),
  AUTH_BASE_PATH: z
    .string()
    .regex(/^(\/[A-Za-z0-9_-]+)+$/, 'must be a path like /api/auth')
    .default('/api/auth'),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  AUTH_SECRET: secrets().optional(),
  TRUSTED_ORIGINS: list(),
  COOKIE_DOMAIN: z
    .string()
    .toLowerCase()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, 'must be a domain like example.com')
    .optional(),
  TOKEN_LIFETIME: whole(1, 3600).default(300),
  TOKEN_AUDIENCES: list(),
  WEBHOOKS_ALLOW_PRIVATE: onOff().default(false),
  TRUST_PROXY: whole(0, 16).default(0),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]{3,320}$/)
    .optional(),
  EMAIL_VERIFICATION: z.enum(['required', 'optional']).default('required'),
  DELETE_USER: onOff().default(true),
  CHANGE_EMAIL: onOff().default(true),
  VERIFICATION_EMAIL: onOff().default(true),
  RESET_PASSWORD: onOff().default(true),
  VERIFICATION_TOKEN_LIFETIME: seconds().default(3600),
  RESET_TOKEN_LIFETIME: seconds().default(3600),
  DELETE_TOKEN_LIFETIME: seconds().default(86_400),
  SOCIAL_STATE_LIFETIME: seconds().default(600),
  EMAIL_PASSWORD: onOff().default(true),
  PASSWORD_MIN: whole(8, 64).default(8),
  PASSWORD_MAX: whole(64, 1024).default(128),
  SESSION_LIFETIME: seconds().default(604_800),
  SESSION_ABSOLUTE_LIFETIME: whole(0, longest).default(2_592_000),
  SESSION_UPDATE_AGE: whole(0, longest).default(86_400),
  SESSION_REFRESH: onOff().default(true),
  FRESH_AGE: whole(0, longest).default(86_400),
  COOKIE_CACHE: onOff().default(true),
  COOKIE_CACHE_MAX_AGE: whole(1, 60).default(60),
  RATE_LIMIT: onOff().default(true),
  ORGANIZATION_LIMIT: whole(0, 1_000_000).default(100),
  ORGANIZATION_CREATION: onOff().default(true),
  MEMBERSHIP_LIMIT: whole(1, 100_000).default(100),
  INVITATION_LIFETIME: seconds().default(172_800),
  ALLOW_REMOVE_LAST_TEAM: onOff().default(false),
  ALLOW_UNLINK_LAST_ACCOUNT: onOff().default(false),
  SOCIAL_SIGN_UP: z.enum(['implicit', 'explicit', 'disabled']).default('implicit'),
  SOCIAL_TRUSTED_PROVIDERS: list().pipe(z.array(z.enum(providerIds))),
  DODO_PAYMENTS_API_KEY: z.string().min(1).optional(),
  DODO_PAYMENTS_WEBHOOK_KEY: list(),
  DODO_PAYMENTS_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  DODO_PAYMENTS_ENVIRONMENT: z.enum(['test_mode', 'live_mode']).default('test_mode'),
  PAYMENT_GRACE: whole(0, longest).default(0),
  ADMIN_EMAILS: list(),
  EVENT_RETENTION_DAYS: whole(1, 3650).default(365),
  PAYLOAD_RETENTION_DAYS: whole(1, 3650).default(400),
  MAIL_TEXTS_DIR: z.string().min(1).optional(),
  PRODUCT_NAME: z
    .string()
    .trim()
    .regex(/^[^\p{C}<>"\\]{1,40}$/u, 'must be 1 to 40 characters without < > " or \\')
    .default(defaultProduct),
  LOGO_URL: z.union([z.url({ protocol: /^https$/ }), z.string().regex(/^data:image\/[^\s"'<>\\]+$/)]).optional(),
  ACCENT_COLOR: z
    .string()
    .regex(/^#[\da-f]{6}$/i, 'must be a colour like #1d5c58')
    .refine((accent) => accentProblem(accent) === undefined, {
      error: ({ input }) => accentProblem(String(input)) ?? '',
    })
    .optional(),
  SUPPORT_EMAIL: z.email().optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  WEB_CONCURRENCY: whole(1, 64).default(1),
})

/** Required and optional settings of each provider. */
const providerSettings: Record<ProviderId, { required: string[]; optional?: string[] }> = {
  apple: {
    required: ['APPLE_CLIENT_ID', 'APPLE_TEAM_ID', 'APPLE_KEY_ID', 'APPLE_PRIVATE_KEY'],
    optional: ['APPLE_CLIENT_SECRET', 'APPLE_APP_BUNDLE_IDENTIFIER'],
  },
  discord: idAndSecret('DISCORD'),
  facebook: idAndSecret('FACEBOOK'),
  github: idAndSecret('GITHUB'),
  microsoft: { ...idAndSecret('MICROSOFT'), optional: ['MICROSOFT_TENANT_ID'] },
  google: idAndSecret('GOOGLE'),
  spotify: idAndSecret('SPOTIFY'),
  twitch: idAndSecret('TWITCH'),
  twitter: idAndSecret('TWITTER'),
  dropbox: idAndSecret('DROPBOX'),
  kick: idAndSecret('KICK'),
  linkedin: idAndSecret('LINKEDIN'),
  gitlab: { ...idAndSecret('GITLAB'), optional: ['GITLAB_ISSUER'] },
  tiktok: { required: ['TIKTOK_CLIENT_KEY', 'TIKTOK_CLIENT_SECRET'] },
  reddit: idAndSecret('REDDIT'),
  roblox: idAndSecret('ROBLOX'),
  vk: { required: ['VK_CLIENT_ID'], optional: ['VK_CLIENT_SECRET'] },
  zoom: idAndSecret('ZOOM'),
}

/** Names of all settings, for the test that compares them with `.env.example`. */
export const settingNames: string[] = [
  ...Object.keys(Settings.shape).filter((name) => name !== 'NODE_ENV'),
  ...Object.values(providerSettings).flatMap(({ required, optional = [] }) => [...required, ...optional]),
]

export type Config = Readonly<ReturnType<typeof readConfig>>

/** The settings are invalid. The message lists every problem, one per line. */
export class ConfigError extends Error {}

type Environment = Record<string, string | undefined>

/** Environment variables through which the primary process passes its database URL and secret to the workers. */
const inherited = { databaseUrl: 'FOYER_DATABASE_URL', secret: 'FOYER_SECRET' }

export type Inherited = { databaseUrl: string; secret: string }

/** Environment variables for a worker process. */
export function inheritedEnv({ databaseUrl, secret }: Inherited): Environment {
  return { [inherited.databaseUrl]: databaseUrl, [inherited.secret]: secret }
}

/** Reads the values passed on by the primary process. */
export function readInherited(): Inherited {
  return { databaseUrl: process.env[inherited.databaseUrl] ?? '', secret: process.env[inherited.secret] ?? '' }
}

/** Reads settings from the environment, with units in their names. Throws one ConfigError that lists all problems. */
export function readConfig(environment: Environment = process.env) {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = Settings.safeParse(given)
  const problems = parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `${String(path[0])}: ${message}`)
  const isProduction = given['NODE_ENV'] === 'production'
  const secret = given['AUTH_SECRET']
  const appUrl = URL.canParse(given['APP_URL'] ?? '') ? new URL(given['APP_URL'] ?? '') : undefined
  if (isProduction && secret === undefined)
    problems.push('AUTH_SECRET: is required in production (32 characters or more)')
  if (secret !== undefined && /change.?me|example|replace/i.test(secret))
    problems.push('AUTH_SECRET: is the text of the example')
  if (!isProduction && appUrl?.protocol === 'https:')
    problems.push('NODE_ENV: must be production when APP_URL is https, so that no development page is served')
  if (isProduction && appUrl && appUrl.protocol !== 'https:' && !isLoopback(appUrl.hostname))
    problems.push('APP_URL: must be https in production, or a loopback address')
  if (appUrl && (appUrl.pathname !== '/' || appUrl.search || appUrl.username))
    problems.push('APP_URL: must be an origin, without a path')
  const cookieDomain = given['COOKIE_DOMAIN']?.toLowerCase()
  const appHost = appUrl?.hostname ?? 'localhost'
  if (cookieDomain !== undefined && appHost !== cookieDomain && !appHost.endsWith(`.${cookieDomain}`))
    problems.push('COOKIE_DOMAIN: must be the host of APP_URL or a parent domain of it')
  const basePath = given['AUTH_BASE_PATH'] ?? ''
  if (/^\/api(?:\/(?:trpc|health|webhooks|docs)(?:\/.*)?)?$/.test(basePath)) {
    problems.push('AUTH_BASE_PATH: is used by other parts of Foyer')
  }
  const mail = readMailTexts(given['MAIL_TEXTS_DIR'])
  problems.push(...mail.problems.map((problem) => `MAIL_TEXTS_DIR: ${problem}`))
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems.join('\n'))

  const settings = parsed.data
  // As operators write them; durations and lists as they are given.
  const shown = Object.entries(settings).flatMap(([name, value]) => {
    if (name === 'NODE_ENV') return []
    const isSecret = secretName.test(name)
    const isSet = given[name] !== undefined
    const text = isSet ? (given[name] ?? '') : value === undefined ? null : textOf(value)
    return [{ name, value: isSecret ? null : withoutPassword(text), isSecret, isSet }]
  })
  const ofProviders = Object.values(providerSettings).flatMap(({ required, optional = [] }) => [
    ...required,
    ...optional,
  ])
  for (const name of ofProviders) {
    const isSecret = secretName.test(name)
    if (given[name] !== undefined) shown.push({ name, value: isSecret ? null : given[name], isSecret, isSet: true })
  }
  const social = readProviders(given)
  const appOrigin = new URL(settings.APP_URL ?? `http://localhost:${settings.PORT}`).origin
  return Object.freeze({
    isProduction,
    /** The settings in force, for administrators. Secrets without their values. */
    shown,
    port: settings.PORT,
    host: settings.HOST,
    /** Scheme, host and port of the application. The only base for links in mails and redirects (SEC-31). */
    appOrigin,
    isHttps: appOrigin.startsWith('https:'),
    basePath: settings.AUTH_BASE_PATH,
    dataFolder: settings.DATA_DIR,
    databaseUrl: settings.DATABASE_URL,
    /** The first secret signs and encrypts, all verify and decrypt. */
    authSecrets: settings.AUTH_SECRET,
    trustedOrigins: settings.TRUSTED_ORIGINS,
    /** Parent domain that cookies are set on, so that applications on its other hosts send them too. */
    cookieDomain: settings.COOKIE_DOMAIN,
    /** Lifetime of signed tokens, of the issuer's access tokens too. */
    tokenLifetimeSeconds: settings.TOKEN_LIFETIME,
    /** Audiences that tokens are issued for, besides the application's own origin. */
    tokenAudiences: settings.TOKEN_AUDIENCES,
    /** Whether calls to other servers may reach private addresses. */
    mayCallPrivateAddresses: settings.WEBHOOKS_ALLOW_PRIVATE,
    proxyHops: settings.TRUST_PROXY,
    smtpUrl: settings.SMTP_URL,
    /** Development pages show mails and secrets. They are enabled only where no one else can reach Foyer (SEC-112). */
    hasDevelopmentPages: !isProduction && isLoopback(new URL(appOrigin).hostname),
    mailFrom: settings.MAIL_FROM ?? `${senderName(settings.PRODUCT_NAME)} <no-reply@${new URL(appOrigin).hostname}>`,
    /** Texts of all mails, with the operator's own. */
    mailTexts: mail.texts,
    brand: {
      product: settings.PRODUCT_NAME,
      logoUrl: settings.LOGO_URL,
      supportEmail: settings.SUPPORT_EMAIL,
      colors: paletteOf(settings.ACCENT_COLOR),
    } satisfies Brand,
    emailVerification: settings.EMAIL_VERIFICATION,
    mayDeleteUser: settings.DELETE_USER,
    mayChangeEmail: settings.CHANGE_EMAIL,
    sendsVerificationEmail: settings.VERIFICATION_EMAIL,
    mayResetPassword: settings.RESET_PASSWORD,
    verificationTokenLifetimeSeconds: settings.VERIFICATION_TOKEN_LIFETIME,
    resetTokenLifetimeSeconds: settings.RESET_TOKEN_LIFETIME,
    deleteTokenLifetimeSeconds: settings.DELETE_TOKEN_LIFETIME,
    socialStateLifetimeSeconds: settings.SOCIAL_STATE_LIFETIME,
    hasEmailPassword: settings.EMAIL_PASSWORD,
    /** In code points. */
    passwordLength: { min: settings.PASSWORD_MIN, max: settings.PASSWORD_MAX },
    sessionLifetimeSeconds: settings.SESSION_LIFETIME,
    /** 0 means no limit. */
    sessionAbsoluteSeconds: settings.SESSION_ABSOLUTE_LIFETIME,
    sessionUpdateAgeSeconds: settings.SESSION_UPDATE_AGE,
    refreshesSessions: settings.SESSION_REFRESH,
    freshAgeSeconds: settings.FRESH_AGE,
    hasCookieCache: settings.COOKIE_CACHE,
    cookieCacheSeconds: settings.COOKIE_CACHE_MAX_AGE,
    hasRateLimit: settings.RATE_LIMIT,
    organizationLimit: settings.ORGANIZATION_LIMIT,
    mayCreateOrganizations: settings.ORGANIZATION_CREATION,
    membershipLimit: settings.MEMBERSHIP_LIMIT,
    invitationLifetimeSeconds: settings.INVITATION_LIFETIME,
    mayRemoveLastTeam: settings.ALLOW_REMOVE_LAST_TEAM,
    mayUnlinkLastAccount: settings.ALLOW_UNLINK_LAST_ACCOUNT,
    socialSignUp: settings.SOCIAL_SIGN_UP,
    trustedProviders: settings.SOCIAL_TRUSTED_PROVIDERS,
    providers: social.providers,
    payments: readPayments(settings),
    /** Several keys during a rotation. Empty if the payment webhook is disabled. */
    webhookKeys: hasInvalidWebhookKey(settings) ? [] : settings.DODO_PAYMENTS_WEBHOOK_KEY,
    paymentGraceSeconds: settings.PAYMENT_GRACE,
    adminEmails: settings.ADMIN_EMAILS.map((email) => email.toLowerCase()),
    eventRetentionDays: settings.EVENT_RETENTION_DAYS,
    payloadRetentionDays: settings.PAYLOAD_RETENTION_DAYS,
    logLevel: settings.LOG_LEVEL,
    webConcurrency: settings.WEB_CONCURRENCY,
    /** Features disabled because of incomplete settings, one sentence each, logged at startup. */
    warnings: [...social.warnings, ...paymentWarnings(settings), ...mailWarnings(settings, isProduction)],
  })
}

/** Enables a provider if all its required settings are present. If only some are, it stays disabled with a warning. */
function readProviders(given: Record<string, string | undefined>) {
  const providers: Partial<Record<ProviderId, Record<string, string>>> = {}
  const warnings: string[] = []
  for (const id of providerIds) {
    const { required, optional = [] } = providerSettings[id]
    const ready = id === 'apple' && given['APPLE_CLIENT_SECRET'] ? ['APPLE_CLIENT_ID'] : required
    const present = [...required, ...optional].filter((name) => given[name] !== undefined)
    const missing = ready.filter((name) => given[name] === undefined)
    const tenant = id === 'microsoft' ? given['MICROSOFT_TENANT_ID'] : undefined
    if (tenant !== undefined && !isTenant(tenant)) {
      warnings.push(
        'microsoft is off: MICROSOFT_TENANT_ID has to be a directory id, common, organizations or consumers',
      )
    } else if (missing.length === 0) {
      providers[id] = Object.fromEntries(present.map((name) => [name, given[name] ?? '']))
    } else if (present.length > 0) {
      warnings.push(`${id} is off: ${missing.join(', ')} is missing`)
    }
  }
  return { providers, warnings }
}

/** Tenants must be given by id, not by domain: tokens contain only the directory's id. */
function isTenant(text: string): boolean {
  return /^(?:common|organizations|consumers|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(text)
}

function mailWarnings(settings: z.infer<typeof Settings>, isProduction: boolean): string[] {
  const needsVerification = settings.EMAIL_VERIFICATION === 'required'
  return [
    ...(needsVerification && !settings.VERIFICATION_EMAIL
      ? ['nobody can prove an address: VERIFICATION_EMAIL is off while EMAIL_VERIFICATION is required']
      : []),
    ...(isProduction && !settings.SMTP_URL ? ['no mail leaves: SMTP_URL is missing'] : []),
  ]
}

function readPayments(settings: z.infer<typeof Settings>) {
  if (!settings.DODO_PAYMENTS_API_KEY) return undefined
  return {
    apiKey: settings.DODO_PAYMENTS_API_KEY,
    baseUrl: settings.DODO_PAYMENTS_BASE_URL,
    environment: settings.DODO_PAYMENTS_ENVIRONMENT,
  }
}

/** The webhook needs only its own key. Checkout, portal, products and the nightly reconciliation need the API key. */
function paymentWarnings(settings: z.infer<typeof Settings>): string[] {
  if (hasInvalidWebhookKey(settings)) {
    return ['the payment webhook is off: DODO_PAYMENTS_WEBHOOK_KEY holds a key that is not base64']
  }
  const hasKey = settings.DODO_PAYMENTS_API_KEY !== undefined
  const hasWebhook = settings.DODO_PAYMENTS_WEBHOOK_KEY.length > 0
  if (hasKey === hasWebhook) return []
  return hasKey
    ? ['the payment webhook is off: DODO_PAYMENTS_WEBHOOK_KEY is missing']
    : ['checkout, portal and products are off: DODO_PAYMENTS_API_KEY is missing']
}

function hasInvalidWebhookKey(settings: z.infer<typeof Settings>): boolean {
  return settings.DODO_PAYMENTS_WEBHOOK_KEY.some((key) => !/^(?:whsec_)?[A-Za-z0-9+/]{16,}={0,2}$/.test(key))
}

/** One or more secrets separated by commas, each at least 32 characters. */
function secrets() {
  return z
    .string()
    .transform((text) => text.split(',').map((secret) => secret.trim()))
    .pipe(z.tuple([Secret], Secret))
}

function seconds() {
  return whole(1, longest)
}

function whole(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d+$/, message)
    .transform(Number)
    .pipe(z.number(message).min(min, message).max(max, message))
}

function onOff() {
  return z.enum(['on', 'off']).transform((text) => text === 'on')
}

function list() {
  return z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== ''),
    )
}

function idAndSecret(prefix: string) {
  return { required: [`${prefix}_CLIENT_ID`, `${prefix}_CLIENT_SECRET`] }
}

/** A name in front of an address (RFC 5322): quoted if it has more than letters and digits. */
function senderName(name: string): string {
  return /^[\w ]+$/.test(name) ? name : JSON.stringify(name)
}

/** Settings whose values are not shown. */
const secretName = /SECRET$|_KEY$/

/** A value as one would write it in the environment. */
function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return Array.isArray(value) ? value.join(',') : String(value)
}

/** URLs of databases and mail servers have passwords. */
function withoutPassword(text: string | null): string | null {
  return text?.replaceAll(/(:\/\/[^:@/\s]*):[^@\s]*@/g, '$1:***@') ?? null
}
