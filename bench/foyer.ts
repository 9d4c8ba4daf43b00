// Foyer itself as a child of the bench: the built server in this process, which answers what CPU it has used.
process.on('message', () => process.send?.({ cpu: process.cpuUsage(), memory: process.memoryUsage().rss }))
const built: string = new URL('../dist/server.js', import.meta.url).href
await import(built)
process.send?.({ port: Number(process.env['PORT']) })
