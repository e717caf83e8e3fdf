import type { EventStory } from '../../src/api/eventing.ts'

const ENDS: Readonly<Record<string, string>> = { delivered: 'up', 'dead-lettered': 'down', dropped: 'down' }

/** The result of a trigger for an event, and its health. Without a result the delivery goes on, unless the trigger was removed. */
export function resultOf(
  { filter, end }: EventStory['triggers'][number],
  isRemoved: boolean,
): { readonly text: string; readonly health: string } {
  if (filter === 'not-matched') return { text: 'filter did not match', health: 'rest' }
  if (filter === 'failed') return { text: 'filter failed', health: 'down' }
  if (end !== undefined) return { text: end, health: ENDS[end] ?? 'rest' }
  return isRemoved ? { text: 'trigger removed', health: 'rest' } : { text: 'under way', health: 'warn' }
}
