import type { EventGroup } from '../../shared/event-group.ts'
import { isEventType } from '../../shared/event.ts'
import { midnight } from '../ui/days.ts'

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
