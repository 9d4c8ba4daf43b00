import type { EventGroup } from '../../shared/event-group.ts'
import { isEventType } from '../../shared/event.ts'

/** The filters of a list of events, as in the URL. Days are written as 2026-11-24, in the reader's time zone. */
export type EventFilter = {
  group?: EventGroup | undefined
  /** One event type, such as `member.joined`. */
  type?: string | undefined
  /** Id of the user who caused the events. */
  actor?: string | undefined
  from?: string | undefined
  /** The last day, included. */
  to?: string | undefined
}

/** The filters as the server takes them. */
export function eventQueryOf({ group, type, actor, from, to }: EventFilter) {
  return {
    ...(group !== undefined && { group }),
    ...(type !== undefined && isEventType(type) && { type }),
    ...(actor !== undefined && { actorId: actor }),
    ...(from !== undefined && { from: midnight(from) }),
    ...(to !== undefined && { until: midnight(to, 1) }),
  }
}

/** The start of a day, some days later, as a timestamp. A day may have 23 or 25 hours. */
function midnight(day: string, daysLater = 0): string {
  const start = new Date(`${day}T00:00`)
  start.setDate(start.getDate() + daysLater)
  return start.toISOString()
}
