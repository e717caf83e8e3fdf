import { type CloudEvent, type EventError, receiveEvents } from '@taproom/events'
import type { Router } from 'express'
import { loggedEvent } from './logged-event.ts'
import type { SinkIdentity } from './sink-identity.ts'

/** Where a sink writes what it received. */
export interface SinkLog {
  info(fields: object, message: string): void
}

/** `POST /`: one log line for each event, then 200 with an empty body. */
export function sinkRoutes({ sink }: SinkIdentity, log: SinkLog): Router {
  return receiveEvents(
    (event: CloudEvent) => {
      log.info({ sink, event: loggedEvent(event) }, 'event received')
    },
    {
      onRefused({ code, attribute }: EventError) {
        log.info({ sink, code, attribute }, 'event refused')
      },
    },
  )
}
