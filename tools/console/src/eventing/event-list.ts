import { setImmediate as turn } from 'node:timers/promises'
import type { EventStory } from '../api/eventing.ts'
import type { StoredTrace, TraceStore } from '../traces/trace-store.ts'
import { storiesOf } from './event-stories.ts'

export interface WantedStories {
  readonly limit: number
  readonly type: string | undefined
  /** `namespace/name`: only stories in which this trigger's filter said yes. */
  readonly trigger: string | undefined
}

/** Spans that are looked at before others get their turn. */
const SPANS_OF_TURN = 2000

/** The newest stories of the newest traces. */
export async function newestStories(store: TraceStore, wanted: WantedStories): Promise<EventStory[]> {
  return storiesIn(store.newestFirst(), wanted)
}

/** Those of traces to which something came since the store had this version. */
export async function storiesSince(store: TraceStore, version: number, wanted: WantedStories): Promise<EventStory[]> {
  return storiesIn(
    store.newestFirst().filter((trace) => trace.version > version),
    wanted,
  )
}

async function storiesIn(
  traces: readonly StoredTrace[],
  { limit, type, trigger }: WantedStories,
): Promise<EventStory[]> {
  const found: EventStory[] = []
  let spans = 0
  for (const trace of traces) {
    if (found.length >= limit) break
    const stories = storiesOf(trace).filter(
      (story) =>
        (type === undefined || story.type === type) &&
        (trigger === undefined ||
          story.triggers.some((each) => each.trigger === trigger && each.filter !== 'not-matched')),
    )
    found.push(...stories)
    spans += trace.spans.size
    if (spans < SPANS_OF_TURN) continue
    spans = 0
    await turn()
  }
  return found.sort((a, b) => b.acceptedAt - a.acceptedAt).slice(0, limit)
}
