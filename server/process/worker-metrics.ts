import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry, type Registry } from 'prom-client'
import { z } from 'zod'

/** Asks a worker for its metrics. */
const metricsRequest = 'metrics'

/** The parts of `Registry.getMetricsAsJSON` that are read here. */
const MetricsOfOne = z.object({ metrics: z.array(z.looseObject({ name: z.string(), type: z.string() })) })
type MetricsOfOne = z.infer<typeof MetricsOfOne>['metrics']

/**
 * How long the primary waits for its workers, in milliseconds. If a worker does not answer, its last values are used.
 */
const responseTimeoutMs = 5_000

/** In a worker: answers the primary. The returned function sends the last values before the process ends. */
export function respondWithMetrics(registry: Registry): () => Promise<void> {
  const send = async () => {
    const metrics = await registry.getMetricsAsJSON()
    await new Promise<void>((done) => {
      if (process.send && process.connected) process.send({ metrics }, undefined, undefined, () => done())
      else done()
    })
  }
  process.on('message', (message) => {
    if (message === metricsRequest) void send()
  })
  return send
}

/**
 * In the primary: adds up the metrics of all workers. Counters and histograms keep the values of workers that have
 * ended, because a decreasing sum would be read as a restart and counted again. The collector of prom-client drops
 * them.
 */
export function collectMetrics(): () => Promise<string> {
  const latest = new Map<number, MetricsOfOne>()
  const waiting = new Map<number, (() => void)[]>()
  let ended: MetricsOfOne = []
  const resolveWaiters = ({ id }: Worker) => {
    for (const done of waiting.get(id) ?? []) done()
    waiting.delete(id)
  }
  const add = (all: readonly MetricsOfOne[]) => AggregatorRegistry.aggregate([...all])
  const retainEnded = async (id: number) => {
    const counted = latest.get(id)?.filter(({ type }) => type === 'counter' || type === 'histogram') ?? []
    const sum = MetricsOfOne.parse({ metrics: await add([ended, counted]).getMetricsAsJSON() })
    // In one step, so that no value is missing or counted twice in between.
    latest.delete(id)
    ended = sum.metrics
  }
  let retaining = Promise.resolve()
  cluster.on('message', (worker: Worker, message: unknown) => {
    const { data } = MetricsOfOne.safeParse(message)
    if (!data) return
    latest.set(worker.id, data.metrics)
    resolveWaiters(worker)
  })
  // Unlike the exit, the disconnect arrives after all messages of the worker.
  cluster.on('disconnect', (worker: Worker) => {
    resolveWaiters(worker)
    const former = retaining
    retaining = former.then(() => retainEnded(worker.id))
  })
  const requestMetrics = (worker: Worker) =>
    new Promise<void>((done) => {
      const timer = setTimeout(done, responseTimeoutMs)
      waiting.set(worker.id, [
        ...(waiting.get(worker.id) ?? []),
        () => {
          clearTimeout(timer)
          done()
        },
      ])
      worker.send(metricsRequest, () => {})
    })
  return async () => {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected())
    await Promise.all(workers.map((worker) => worker && requestMetrics(worker)))
    await retaining
    return add([...latest.values(), ended]).metrics()
  }
}
