import type { CloudEvent, EventError, EventHandler, ReceiveOptions } from '@taproom/events'
import { loggedEvent } from './logged-event.ts'
import type { SinkIdentity } from './sink-identity.ts'

/** Where a sink writes what it received. */
export interface SinkLog {
  info(fields: object, message: string): void
}

/** How a sink takes events, and what it does with those that it refuses. */
export interface EventLog extends Required<Pick<ReceiveOptions, 'onRefused'>> {
  readonly onEvent: EventHandler
}

/** What a sink does with events: one log line for each. */
export function eventLog({ sink }: SinkIdentity, log: SinkLog): EventLog {
  return {
    onEvent(event: CloudEvent) {
      log.info({ sink, event: loggedEvent(event) }, 'event received')
    },
    onRefused({ code, attribute }: EventError) {
      log.info({ sink, code, attribute }, 'event refused')
    },
  }
}
