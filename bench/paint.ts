import { chromium } from '@playwright/test'
import { findChromium } from '../e2e/chromium.ts'

// `npm run paint -- http://localhost:3000/sign-in`: measures a first visit on a slow phone, against a running Foyer.
// Prints requests, transferred bytes, first contentful paint, the time until the form is usable, and the layout shift.
const url = process.argv[2] ?? 'http://localhost:3000/sign-in'

/** A slow mobile connection (1.6 Mbit/s, 150 ms) and a quarter of the CPU. */
const line = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 }
const cpuRate = 4

const browser = await chromium.launch({ executablePath: findChromium() })
const page = await browser.newPage()
const session = await page.context().newCDPSession(page)
const kinds = new Map<string, string>()
const bytes = new Map<string, number>()
session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type))
session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => bytes.set(requestId, encodedDataLength))
await session.send('Network.enable')
await session.send('Network.emulateNetworkConditions', line)
await session.send('Emulation.setCPUThrottlingRate', { rate: cpuRate })
const started = Date.now()
await page.goto(url)
await page.waitForFunction(() => !document.querySelector('form[method=dialog]'))
const usableMs = Date.now() - started
await page.waitForLoadState('networkidle')
const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime)
const shift = await page.evaluate(
  () =>
    new Promise<number>((done) => {
      let sum = 0
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) sum += 'value' in entry ? Number(entry.value) : 0
      })
      observer.observe({ type: 'layout-shift', buffered: true })
      setTimeout(() => done(sum), 500)
    }),
)
const sizeOf = (...wanted: string[]) =>
  [...kinds].filter(([, kind]) => wanted.includes(kind)).reduce((sum, [id]) => sum + (bytes.get(id) ?? 0), 0)
console.log(`requests            ${kinds.size}`)
console.log(`script and style    ${Math.round(sizeOf('Script', 'Stylesheet') / 1000)} kB`)
console.log(`page                ${Math.round(sizeOf('Document') / 1000)} kB`)
console.log(`first paint         ${Math.round(paint ?? 0)} ms`)
console.log(`form can be used    ${usableMs} ms`)
console.log(`layout shift        ${shift.toFixed(4)}`)
await browser.close()
