import type { EventStory } from '../../src/api/eventing.ts'
import { count, duration } from '../pieces/format.ts'

type Attempt = EventStory['triggers'][number]['attempts'][number]

/** `3 attempts, the last 503 in 4 ms; dead letter 200 in 2 ms` */
export function attemptsText(attempts: readonly Attempt[]): string {
  const own = attempts.filter(({ isDeadLetter }) => !isDeadLetter)
  const last = own.at(-1)
  const deadLetter = attempts.findLast(({ isDeadLetter }) => isDeadLetter)
  const texts = [count(own.length, 'attempt') + (last === undefined ? '' : `, the last ${attemptEnd(last)}`)]
  if (deadLetter !== undefined) texts.push(`dead letter ${attemptEnd(deadLetter)}`)
  return texts.join('; ')
}

function attemptEnd({ status, error, durationMs }: Attempt): string {
  return `${status ?? error ?? 'no answer yet'} in ${duration(durationMs)}`
}

/** `attempt 2 to http://…: 503 in 4 ms`; `index` counts from 0. */
export function attemptText(attempt: Attempt, index: number): string {
  const what = attempt.isDeadLetter ? 'dead letter' : `attempt ${index + 1}`
  return `${what} to ${attempt.destination}: ${attemptEnd(attempt)}${attempt.error === undefined ? '' : ` (${attempt.error})`}`
}
