import type { IncomingHttpHeaders } from 'node:http'
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'

/** The format `version-trace-parent-flags` (W3C Trace Context, 3.2.2). */
const form = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}$/

/** The id of the trace that a request belongs to, from its `traceparent` header. */
export function traceIdOf({ traceparent }: IncomingHttpHeaders): string | undefined {
  return typeof traceparent === 'string' ? form.exec(traceparent)?.[1] : undefined
}

const tracer = trace.getTracer('foyer')

/**
 * Runs a call as a span of the request's trace. Nothing is recorded without an OpenTelemetry SDK, which an operator
 * loads with `NODE_OPTIONS=--import …`. Requests without a trace then cost only this check. An error for which
 * `isExpected` is true does not mark the span as failed.
 */
export async function traced<Result>(
  name: string,
  headers: IncomingHttpHeaders,
  work: () => Promise<Result>,
  isExpected: (error: unknown) => boolean,
): Promise<Result> {
  const parent = propagation.extract(context.active(), headers)
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER }, parent)
  if (!span.isRecording()) return work()
  try {
    return await context.with(trace.setSpan(parent, span), work)
  } catch (error) {
    if (!isExpected(error)) span.setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}
