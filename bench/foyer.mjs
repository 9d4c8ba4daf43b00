// Runs the built Foyer server in a child process of the benchmark, and reports its CPU and memory usage on request.
process.on('message', () => process.send?.({ cpu: process.cpuUsage(), memory: process.memoryUsage().rss }))
const built = new URL('../dist/server.js', import.meta.url).href
await import(built)
process.send?.({ port: Number(process.env['PORT']) })
