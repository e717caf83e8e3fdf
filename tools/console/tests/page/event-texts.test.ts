import { describe, expect, it } from 'vitest'
import { attemptsText } from '../../page/events/attempt-text.ts'
import { resultOf } from '../../page/events/result.ts'
import type { EventStory } from '../../src/api/eventing.ts'

type Triggered = EventStory['triggers'][number]

const attempt = (status: number, isDeadLetter = false) => ({
  ...{ startedAt: 0, durationMs: 4, destination: 'http://sink/', status, isDeadLetter },
})
const triggered = (more: Partial<Triggered>): Triggered => ({
  ...{ trigger: 'default/a', filter: 'matched', attempts: [], hasReply: false, isDeadLettered: false },
  ...more,
})

describe('attempts of a delivery', () => {
  it('do not count the dead letter, whose answer is named apart', () => {
    const attempts = [attempt(503), attempt(503), attempt(500), attempt(200, true)]
    expect(attemptsText(attempts)).toBe('3 attempts, the last 500 in 4 ms; dead letter 200 in 4 ms')
    expect(attemptsText([attempt(202)])).toBe('1 attempt, the last 202 in 4 ms')
  })
})

describe('the result of a trigger', () => {
  it.each([
    ['filter did not match', triggered({ filter: 'not-matched' }), false],
    ['filter failed', triggered({ filter: 'failed' }), false],
    ['delivered', triggered({ end: 'delivered' }), true],
    ['under way', triggered({}), false],
    ['trigger removed', triggered({}), true],
  ])('is "%s"', (text, story, isRemoved) => {
    expect(resultOf(story, isRemoved).text).toBe(text)
  })
})
