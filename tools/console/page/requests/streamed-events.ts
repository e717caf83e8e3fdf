import { createParser } from 'eventsource-parser'
import { objectOf } from './schema.ts'

const MOST = 300

export interface StreamedEvent {
  readonly number: number
  readonly at: number
  readonly data: string
  /** The data as a JSON object; undefined when it is not one. */
  readonly fields: Readonly<Record<string, unknown>> | undefined
}

/** Returns a function that takes the next text of a stream and returns the newest events. */
export function eventReader(): (text: string) => readonly StreamedEvent[] {
  const events: StreamedEvent[] = []
  let number = 0
  const parser = createParser({
    onEvent: ({ data }) => {
      number += 1
      events.push({ number, at: Date.now(), data, fields: objectOf(data) })
      // Not one by one: each would move all others.
      if (events.length > 2 * MOST) events.splice(0, events.length - MOST)
    },
  })
  return (text) => {
    parser.feed(text)
    return events.slice(-MOST)
  }
}
