import type { EventHandler } from '@taproom/events'
import { HttpProblem } from '@taproom/service'

/** Handlers by the type of the event. `*` is for all types that have none. */
export type EventHandlers = Readonly<Record<string, EventHandler>>

/** The handler of all events. One whose type has no handler is refused with 400: sent again, it would be refused again. */
export function handlerOf(on: EventHandlers): EventHandler {
  return (event) => {
    const handler = [event.type, '*'].find((type) => Object.hasOwn(on, type))
    if (handler === undefined) throw unexpected(event.type)
    return on[handler]?.(event)
  }
}

function unexpected(type: string): HttpProblem {
  return new HttpProblem(400, {
    detail: `events of the type ${type} are not for this sink`,
    members: { code: 'EVENT_TYPE_UNEXPECTED', attribute: 'type' },
  })
}
