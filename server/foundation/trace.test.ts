import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { expect, it } from 'vitest'
import { createTestApp } from '../testing/test-app.ts'

/**
 * Loads OpenTelemetry as an operator does: the SDK registers itself, and Foyer finds it through the API package alone.
 */
const exporter = new InMemorySpanExporter()
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register()
const testApp = await createTestApp()

it('calls are spans of their request’s trace, once an OpenTelemetry SDK is loaded', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
  const browser = testApp.browser()
  await browser.get('/get-session', { traceparent })
  const email = 'nobody@example.test'
  await browser.request('/api/auth/sign-in/email', {
    method: 'POST',
    headers: { traceparent, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'a long sentence' }),
  })
  const found = () => exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId)
  await expect.poll(() => found().length).toBe(2)
  expect(found().map(({ name, kind, parentSpanContext }) => [name, kind, parentSpanContext?.spanId])).toEqual([
    ['session.get', SpanKind.SERVER, '00f067aa0ba902b7'],
    ['session.signInEmail', SpanKind.SERVER, '00f067aa0ba902b7'],
  ])
  // A refusal is not a server error.
  expect(found().map(({ status }) => status.code)).toEqual([SpanStatusCode.UNSET, SpanStatusCode.UNSET])
})

it('a failed call is a span with an error status', async () => {
  const own = await createTestApp()
  exporter.reset()
  await own.pool.query('alter table "User" rename to "Gone"')
  const { status } = await own
    .browser()
    .post('/sign-up/email', { name: 'A', email: 'a@example.test', password: 'a long sentence' })
  expect(status).toBeGreaterThanOrEqual(500)
  await expect.poll(() => exporter.getFinishedSpans().length).toBeGreaterThan(0)
  expect(exporter.getFinishedSpans().map(({ status: { code } }) => code)).toContain(SpanStatusCode.ERROR)
})
