import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectFolder } from '../server/config.ts'

/** Files above these modules and below the others: the settings, and what a server opens. */
export const openedServer = ['config.ts', 'dependencies.ts']

/** Files of settings and names. Of the modules they import only foundation. */
export const plainFiles = ['provider-settings.ts', 'reserved-paths.ts', 'settings.ts', 'shown-settings.ts']

/** The modules of the server in their order: a module imports only those before it (docs/architecture.md). */
export const moduleOrder = [
  'foundation',
  'token',
  'event',
  'mail',
  'session',
  'factor',
  'request',
  'procedure',
  'picture',
  'purchase',
  'organization',
  'team',
  'account',
  'sign-in',
  'two-factor',
  'invitation',
  'payment',
  'api-key',
  'oauth',
  'forward-auth',
  'admin',
  'webhook',
  'transfer',
]

/** The folders of the payment module in their order. Its router is above them. */
export const paymentOrder = [
  'billing-owner',
  'provider',
  'objects',
  'records',
  'attribution',
  'events',
  'subscriptions',
  'payments',
  'licenses',
  'customers',
  'checkout',
  'reconciliation',
]

/** The folders of the client in their order: texts, calls, components, screens, and what connects the screens. */
export const clientOrder = [
  'language',
  'api',
  'ui',
  'two-factor',
  'session',
  'account',
  'api-key',
  'organization',
  'team',
  'invitation',
  'payment',
  'event',
  'oauth',
  'admin',
  'home',
  'shell',
  'gallery',
  'app',
]

/**
 * The folder of each group of texts (`client/language/en-screens.ts`). Like code, a text is used in its own folder and
 * in those after it. What none of them owns stands in `common`.
 */
export const textOwners: Readonly<Record<string, string>> = {
  common: 'language',
  refusal: 'language',
  failure: 'ui',
  field: 'ui',
  notFound: 'ui',
  picture: 'ui',
  table: 'ui',
  toast: 'ui',
  unsaved: 'ui',
  passkeys: 'two-factor',
  security: 'two-factor',
  twoFactor: 'two-factor',
  callback: 'session',
  checkMail: 'session',
  error: 'session',
  emailCode: 'session',
  reauthenticate: 'session',
  sessions: 'session',
  signIn: 'session',
  signOut: 'session',
  social: 'session',
  accounts: 'account',
  deleteAccount: 'account',
  deletion: 'account',
  email: 'account',
  forgot: 'account',
  metadata: 'account',
  password: 'account',
  reset: 'account',
  settings: 'account',
  signUp: 'account',
  strength: 'account',
  verified: 'account',
  verify: 'account',
  apiKeys: 'api-key',
  create: 'organization',
  members: 'organization',
  organization: 'organization',
  overview: 'organization',
  policy: 'organization',
  role: 'organization',
  roleHint: 'organization',
  teams: 'team',
  invitation: 'invitation',
  invite: 'invitation',
  billing: 'payment',
  activity: 'event',
  event: 'event',
  connectedApps: 'oauth',
  consent: 'oauth',
  device: 'oauth',
  scope: 'oauth',
  admin: 'admin',
  clients: 'admin',
  installation: 'admin',
  users: 'admin',
  webhooks: 'admin',
  home: 'home',
  menu: 'shell',
  palette: 'shell',
  switcher: 'shell',
  starting: 'app',
}

/** Folders and files above all modules. */
export const aboveModules = ['http', 'process', 'maintenance', 'app.ts', 'router.ts', 'background-jobs.ts', 'main.ts']

/** The last module below `config.ts` and `dependencies.ts`: it and those before it do not import them. */
const lastBelowConfig = 'factor'

/** Forbids the imports of everything after a position in the order. */
function overrideFor(name: string, position: number, order: readonly string[]) {
  const isBelowConfig = position <= order.indexOf(lastBelowConfig)
  const forbidden = [...order.slice(position + 1), ...aboveModules, ...(isBelowConfig ? openedServer : [])]
  const group = forbidden.flatMap((name) => (name.endsWith('.ts') ? [`**/../${name}`] : [`**/../${name}/**`]))
  const message = 'A module imports only what is before it: docs/architecture.md.'
  return {
    files: [`server/${name}/**`],
    rules: { 'no-restricted-imports': ['error', { patterns: [{ group, message }] }] },
  }
}

/** The rules of the linter that enforce the order. */
export function moduleLintRules(order: readonly string[] = moduleOrder): string {
  return `${JSON.stringify({ overrides: order.map(overrideFor) }, undefined, 2)}\n`
}

export const moduleLintFile = join(projectFolder, 'tools', 'module-order.oxlintrc.json')

async function writeModuleLintRules(): Promise<void> {
  await writeFile(moduleLintFile, moduleLintRules())
}

if (process.argv[1]?.endsWith('module-order.ts')) await writeModuleLintRules()
