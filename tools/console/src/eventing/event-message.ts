import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@taproom/core/limits'
import { EventError, parseEvent, toBinaryMode } from '@taproom/events'
import { HttpProblem } from '@taproom/service'
import type { CloudEventV1 } from 'cloudevents'

export const MODES = ['binary', 'structured'] as const
export type EventMode = (typeof MODES)[number]

const STRUCTURED = { 'content-type': 'application/cloudevents+json; charset=utf-8' }

/**
 * An event in JSON as it goes over the wire; it gets an id and the version, if it has none. Structured mode sends whatever it is, so that one
 * sees what a broker says to it.
 *
 * @throws {HttpProblem} 400 for what binary mode cannot say, with the attribute that is wrong
 */
export function messageOf(event: JsonObject, mode: EventMode) {
  const body = Buffer.from(JSON.stringify({ specversion: '1.0', id: randomUUID(), ...event }))
  if (mode === 'structured') return { headers: STRUCTURED, body }
  return toBinaryMode(parsed(body))
}

function parsed(body: Buffer): CloudEventV1<Buffer> {
  try {
    return parseEvent(STRUCTURED, body)
  } catch (error) {
    if (!(error instanceof EventError)) throw error
    const { code, attribute } = error
    throw new HttpProblem(400, { detail: error.message, members: { code, attribute }, cause: error })
  }
}
