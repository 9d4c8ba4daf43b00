import { z } from 'zod'
import { accentProblem, defaultProduct } from '../shared/brand.ts'
import { providerIds } from '../shared/provider.ts'
import { parsePostgresUrl } from './foundation/postgres-url.ts'

/** Ten years in seconds. Longer durations are probably a mistake in the unit. */
const maxSeconds = 315_360_000

const Secret = z.string().min(32, 'each secret must have at least 32 characters')

/** All settings by environment variable. `.env.example` lists the same names (enforced by a test). */
export const Settings = z.object({
  NODE_ENV: z.string().optional(),
  PORT: whole(0, 65_535).default(3000),
  METRICS_PORT: whole(1, 65_535).optional(),
  DRAIN_SECONDS: whole(0, 60).default(2),
  HOST: z.string().min(1).optional(),
  APP_URL: z.url({ protocol: /^https?$/ }).optional(),
  AUTH_BASE_PATH: z
    .string()
    .regex(/^(\/[A-Za-z0-9_-]+)+$/, 'must be a path like /api/auth')
    .default('/api/auth'),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: postgresUrl().optional(),
  DATABASE_DIRECT_URL: postgresUrl().optional(),
  DATABASE_REPLICA_URL: postgresUrl().optional(),
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
  ADMIN_SECOND_FACTOR: onOff().default(true),
  TWO_FACTOR_EMAIL: onOff().default(false),
  EMAIL_CODE: z.enum(['on', 'sign-in', 'off']).default('on'),
  PASSWORD_MIN: whole(8, 64).default(8),
  PASSWORD_MAX: whole(64, 1024).default(128),
  SESSION_LIFETIME: seconds().default(604_800),
  SESSION_ABSOLUTE_LIFETIME: whole(0, maxSeconds).default(2_592_000),
  SESSION_UPDATE_AGE: whole(0, maxSeconds).default(86_400),
  SESSION_REFRESH: onOff().default(true),
  FRESH_AGE: whole(0, maxSeconds).default(86_400),
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
  SOCIAL_PROVIDERS: list().pipe(z.array(z.enum(providerIds))),
  SOCIAL_TRUSTED_PROVIDERS: list().pipe(z.array(z.enum(providerIds))),
  DODO_PAYMENTS_API_KEY: z.string().min(1).optional(),
  DODO_PAYMENTS_WEBHOOK_KEY: list(),
  DODO_PAYMENTS_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  DODO_PAYMENTS_ENVIRONMENT: z.enum(['test_mode', 'live_mode']).default('test_mode'),
  PAYMENT_GRACE: whole(0, maxSeconds).default(0),
  ADMIN_EMAILS: list(),
  EVENT_RETENTION_DAYS: whole(1, 3650).default(365),
  PAYLOAD_RETENTION_DAYS: whole(1, 3650).default(400),
  MAIL_TEXTS_DIR: z.string().min(1).optional(),
  PRODUCT_NAME: z
    .string()
    .trim()
    // The page uses this placeholder itself.
    .refine((name) => !name.includes('__NONCE__'))
    .regex(/^[^\p{C}<>"\\]{1,40}$/u, 'must be 1 to 40 characters without < > " or \\')
    .default(defaultProduct),
  LOGO_URL: z.union([z.url({ protocol: /^https$/ }), z.string().regex(/^data:image\/[^\s"'<>\\]+$/)]).optional(),
  ACCENT_COLOR: z
    .string()
    .regex(/^#[\da-f]{6}$/i, 'must be a color like #1d5c58')
    .refine((accent) => accentProblem(accent) === undefined, {
      error: ({ input }) => accentProblem(String(input)) ?? '',
    })
    .optional(),
  SUPPORT_EMAIL: z.email().optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  WEB_CONCURRENCY: whole(1, 64).default(1),
})

export type Settings = z.infer<typeof Settings>

/** One or more secrets separated by commas, each at least 32 characters. */
function secrets() {
  return z
    .string()
    .transform((text) => text.split(',').map((secret) => secret.trim()))
    .pipe(z.tuple([Secret], Secret))
}

function postgresUrl() {
  return z.string().refine((url) => parsePostgresUrl(url) !== undefined, 'must be a postgresql:// URL')
}

function seconds() {
  return whole(1, maxSeconds)
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
