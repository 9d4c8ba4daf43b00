import type { Pool } from 'pg'
import { collectDefaultMetrics, Counter, Gauge, type GaugeConfiguration, Histogram, Registry } from 'prom-client'

/** Upper bounds of durations, in seconds. Reading a session takes 0.001 s, a password 0.03 s, a slow provider 10 s. */
const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** How a call ended: answered, refused with a 4xx, or failed with a 5xx. */
export type CallOutcome = 'ok' | 'refused' | 'failed'

/** The metrics of one process. With several processes, the primary adds them up. */
export type Metrics = {
  registry: Registry
  /** A call of a procedure, over REST or tRPC. */
  call: (procedure: string, outcome: CallOutcome, seconds: number) => void
  /** A finished HTTP request, answered by any middleware. */
  request: (status: number) => void
  signIn: (method: string, outcome: string) => void
  /** Names the background tasks, so that each has a count of 0 before it first runs. */
  announceJobs: (tasks: readonly string[]) => void
  job: (task: string, outcome: 'done' | 'failed') => void
  mail: (outcome: 'sent' | 'failed') => void
  webhook: (outcome: 'delivered' | 'failed') => void
  paymentEvent: (outcome: 'applied' | 'later' | 'failed' | 'refused') => void
  /** An event of the audit log. */
  event: (type: string) => void
  /** Registers values that are read on each scrape. */
  observe: (sources: Sources) => void
  /** Registers what waits in the database, which is read on each scrape. */
  observeQueues: (read: () => Promise<readonly Queue[]>) => void
}

/** What waits to be sent or done: how much of it, and for how long the oldest has been due. */
export type Queue = { queue: 'mails' | 'deliveries' | 'payments' | 'jobs'; waiting: number; oldestSeconds: number }

type Sources = {
  pools: Record<string, Pool>
  hashing: () => { running: number; waiting: number }
  replica: { lagSeconds: () => number; isUsable: () => boolean } | undefined
}

/** Creates the metrics of a process (Prometheus, https://prometheus.io/docs/practices/naming/). */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const calls = new Histogram({
    name: 'foyer_call_duration_seconds',
    help: 'Duration of calls by procedure and outcome',
    labelNames: ['procedure', 'outcome'],
    buckets,
    registers,
  })
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers })
  // A series that begins with its first failure would hide that failure: `increase` and `rate` compare two values.
  const startAtZero = (one: Counter, labels: Record<string, string>) => one.inc(labels, 0)
  const requests = counter('foyer_http_requests_total', 'HTTP requests by status', ['status'])
  const signIns = counter('foyer_sign_ins_total', 'Sign-ins by method and outcome', ['method', 'outcome'])
  const jobs = counter('foyer_jobs_total', 'Background jobs by task and outcome', ['task', 'outcome'])
  const mails = counter('foyer_mails_total', 'Attempts to send an email by outcome', ['outcome'])
  const webhooks = counter('foyer_webhook_deliveries_total', 'Attempts to deliver an event by outcome', ['outcome'])
  const payments = counter('foyer_payment_events_total', 'Payment events by outcome', ['outcome'])
  const events = counter('foyer_events_total', 'Events of the audit log by type', ['type'])
  for (const outcome of ['sent', 'failed']) startAtZero(mails, { outcome })
  for (const outcome of ['delivered', 'failed']) startAtZero(webhooks, { outcome })
  for (const outcome of ['applied', 'later', 'failed', 'refused']) startAtZero(payments, { outcome })
  startAtZero(signIns, { method: 'password', outcome: 'created' })
  const gauge = <Label extends string>(options: GaugeConfiguration<Label>) =>
    registry.registerMetric(new Gauge({ ...options, registers: [] }))
  return {
    registry,
    call: (procedure, outcome, seconds) => calls.observe({ procedure, outcome }, seconds),
    request: (status) => requests.inc({ status: String(status) }),
    signIn: (method, outcome) => signIns.inc({ method, outcome }),
    announceJobs(tasks) {
      for (const task of tasks) for (const outcome of ['done', 'failed']) startAtZero(jobs, { task, outcome })
    },
    job: (task, outcome) => jobs.inc({ task, outcome }),
    mail: (outcome) => mails.inc({ outcome }),
    webhook: (outcome) => webhooks.inc({ outcome }),
    paymentEvent: (outcome) => payments.inc({ outcome }),
    event: (type) => events.inc({ type }),
    observeQueues: (read) => addQueueGauges(gauge, read),
    observe: (sources) => addProcessGauges(gauge, sources),
  }
}

type AddGauge = <Label extends string>(options: GaugeConfiguration<Label>) => void

/** What waits to be sent or done, read when the metrics are collected. */
function addQueueGauges(gauge: AddGauge, read: () => Promise<readonly Queue[]>): void {
  let reading: Promise<readonly Queue[]> | undefined
  // Both are collected at the same time: one statement. While the database does not answer, there is no value.
  const readOnce = () =>
    (reading ??= read()
      .catch(() => [])
      .finally(() => (reading = undefined)))
  const queueGauge = (name: string, help: string, valueOf: (queue: Queue) => number) =>
    gauge({
      name,
      help,
      labelNames: ['queue'],
      // Each process reads the same values.
      aggregator: 'max',
      async collect() {
        const queues = await readOnce()
        this.reset()
        for (const one of queues) this.set({ queue: one.queue }, valueOf(one))
      },
    })
  queueGauge(
    'foyer_queue_waiting',
    'Emails, webhook deliveries, payment events and jobs that are due, up to 1000 each',
    ({ waiting }) => waiting,
  )
  queueGauge(
    'foyer_queue_oldest_seconds',
    'Age of the oldest due item in seconds',
    ({ oldestSeconds }) => oldestSeconds,
  )
}

/** The state of a process: its pools, its hashing, and its replica. */
function addProcessGauges(gauge: AddGauge, { pools, hashing, replica }: Sources): void {
  gauge({
    name: 'foyer_workers',
    help: 'Processes that serve requests',
    collect() {
      this.set(1)
    },
  })
  gauge({
    name: 'foyer_pool_connections',
    help: 'Connections to PostgreSQL by pool and state; waiting: calls that wait for one',
    labelNames: ['pool', 'state'],
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
        this.set({ pool, state: 'busy' }, totalCount - idleCount)
        this.set({ pool, state: 'idle' }, idleCount)
        this.set({ pool, state: 'waiting' }, waitingCount)
      }
    },
  })
  gauge({
    name: 'foyer_password_hashes',
    help: 'Password hash operations by state: running or waiting',
    labelNames: ['state'],
    collect() {
      const { running, waiting } = hashing()
      this.set({ state: 'running' }, running)
      this.set({ state: 'waiting' }, waiting)
    },
  })
  if (!replica) return
  gauge({
    name: 'foyer_replica_lag_seconds',
    help: 'How far the replica is behind the primary',
    // Each process reports the same value.
    aggregator: 'max',
    collect() {
      this.set(replica.lagSeconds())
    },
  })
  gauge({
    name: 'foyer_replica_usable',
    help: '1 while lists are read from the replica',
    aggregator: 'min',
    collect() {
      this.set(replica.isUsable() ? 1 : 0)
    },
  })
}
