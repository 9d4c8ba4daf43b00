import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { freePorts } from '../server/testing/ports.ts'
import { findChromium } from './chromium.ts'
import { webhookKey } from './keys.ts'

/**
 * Free ports, so that running services do not conflict: Foyer, the GitLab stub, the payment provider stub, and a
 * product on another origin, which a test serves itself. Workers evaluate this file again and read the ports chosen by
 * the first evaluation from the environment.
 */
process.env['JOURNEY_PORTS'] ??= (await freePorts(4)).join(' ')
/** The database, also used by the commands that tests run. */
process.env['JOURNEY_DATA'] ??= process.env['TEST_DATA_DIR'] ?? mkdtempSync(join(tmpdir(), 'foyer-journeys-'))
const [port, gitlabPort, paymentPort, productPort] = process.env['JOURNEY_PORTS'].split(' ')

/** End-to-end tests in Chromium, on the production build with a fresh database. */
export default defineConfig({
  testDir: '.',
  outputDir: 'results',
  // Tests wait for states. These timeouts only stop a hang, even on a machine that is ten times slower.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  fullyParallel: true,
  workers: 2,
  // A shared CI machine may kill the browser. A test that passes on retry is reported as flaky.
  retries: process.env['CI'] ? 1 : 0,
  reporter: [['list']],
  webServer: [
    {
      command: `npx tsx payment-provider.ts ${paymentPort}`,
      url: `http://localhost:${paymentPort}/`,
    },
    {
      command: `npx tsx gitlab.ts ${gitlabPort}`,
      url: `http://localhost:${gitlabPort}/`,
    },
    {
      command: 'node server/start.mjs',
      cwd: '..',
      url: `http://localhost:${port}/api/health`,
      timeout: 600_000,
      gracefulShutdown: { signal: 'SIGTERM', timeout: 12_000 },
      env: {
        PORT: port ?? '',
        DATA_DIR: process.env['JOURNEY_DATA'],
        TRUSTED_ORIGINS: `https://app.example.com,http://localhost:${productPort}`,
        RATE_LIMIT: 'off',
        ADMIN_SECOND_FACTOR: 'off',
        TWO_FACTOR_EMAIL: 'on',
        DRAIN_SECONDS: '0',
        LOG_LEVEL: 'warn',
        SMTP_URL: '',
        DATABASE_URL: '',
        DODO_PAYMENTS_API_KEY: 'journeys',
        DODO_PAYMENTS_WEBHOOK_KEY: webhookKey,
        DODO_PAYMENTS_BASE_URL: `http://localhost:${paymentPort}`,
        // One for each attempt of a test that needs an administrator.
        ADMIN_EMAILS: [
          'admin',
          'operator0',
          'operator1',
          'keeper0',
          'keeper1',
          'sender0',
          'sender1',
          'watcher0',
          'watcher1',
          'reader0',
          'reader1',
        ]
          .map((name) => `${name}@example.test`)
          .join(),
        GITLAB_CLIENT_ID: 'journeys',
        GITLAB_CLIENT_SECRET: 'a secret of the journeys',
        GITLAB_ISSUER: `http://localhost:${gitlabPort}`,
      },
    },
  ],
  use: {
    baseURL: `http://localhost:${port}`,
    locale: 'en-GB',
    launchOptions: {
      executablePath: findChromium(),
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
    // Tracing every test would add a third to the run time. To trace one: npm run journeys -- --trace on FILE
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
  },
})
