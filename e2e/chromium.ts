import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

/** Where systems keep a Chromium or Chrome of their own. */
const known = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** A real Chromium: the system's, Playwright's, or one that is installed now: Playwright's own, else Debian's package. */
export function findChromium(): string {
  const found = () => [...known, chromium.executablePath()].find((path) => existsSync(path))
  const path = found()
  if (path) return path
  console.log('No Chromium here: installing one for the journeys.')
  spawnSync('npx', ['playwright', 'install', '--with-deps', 'chromium'], { stdio: 'inherit', timeout: 240_000 })
  if (!found()) {
    const sudo = process.getuid?.() === 0 ? '' : 'sudo -n '
    const install = `${sudo}apt-get update -qq && ${sudo}apt-get install -y -qq chromium`
    spawnSync('sh', ['-c', install], { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  }
  const installed = found()
  if (!installed) throw new Error('The journeys need Chromium: install it, for example with apt-get install chromium.')
  return installed
}
