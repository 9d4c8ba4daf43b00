import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

/** Usual paths of a system-wide Chromium or Chrome. */
const known = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Finds Chromium: the system's or Playwright's; else installs Playwright's, or the Debian package as a fallback. */
export function findChromium(): string {
  const found = () => [...known, chromium.executablePath()].find((path) => existsSync(path))
  const path = found()
  if (path) return path
  console.log('Chromium not found: installing it for the end-to-end tests.')
  spawnSync('npx', ['playwright', 'install', '--with-deps', 'chromium'], { stdio: 'inherit', timeout: 240_000 })
  if (!found()) {
    const sudo = process.getuid?.() === 0 ? '' : 'sudo -n '
    const install = `${sudo}apt-get update -qq && ${sudo}apt-get install -y -qq chromium`
    spawnSync('sh', ['-c', install], { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  }
  const installed = found()
  if (!installed)
    throw new Error('The end-to-end tests need Chromium: install it, for example with apt-get install chromium.')
  return installed
}
