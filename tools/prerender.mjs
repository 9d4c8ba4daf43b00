import { writeFileSync } from 'node:fs'

// A step of the build: writes the first screens, rendered by client/prerender.tsx, next to the client.
const built = new URL('../dist/prerender/prerender.js', import.meta.url).href
const { renderAll } = await import(built)
writeFileSync(new URL('../dist/client/pages.json', import.meta.url), JSON.stringify(await renderAll()))
process.exit(0)
