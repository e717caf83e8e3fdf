import type { EventStory } from '../api/eventing.ts'
import { inTurns, type TraceStore } from '../traces/trace-store.ts'
import { storiesOf } from './event-stories.ts'

export interface WantedStories {
  readonly limit: number
  /** Beginning of the event's id. */
  readonly id: string | undefined
  readonly type: string | undefined
  /** `namespace/name`: only stories in which this trigger's filter said yes. */
  readonly trigger: string | undefined
}

/** The newest stories of the traces that changed after this version of the store. */
export async function newestStories(store: TraceStore, wanted: WantedStories, since = 0): Promise<EventStory[]> {
  const { limit, id, type, trigger } = wanted
  const found: EventStory[] = []
  for await (const trace of inTurns(store.newestFirst(since))) {
    const stories = storiesOf(trace).filter(
      (story) =>
        (id === undefined || story.id.startsWith(id)) &&
        (type === undefined || story.type === type) &&
        (trigger === undefined ||
          story.triggers.some((each) => each.trigger === trigger && each.filter !== 'not-matched')),
    )
    found.push(...stories)
    if (found.length >= limit) break
  }
  return found.sort((a, b) => b.acceptedAt - a.acceptedAt).slice(0, limit)
}
