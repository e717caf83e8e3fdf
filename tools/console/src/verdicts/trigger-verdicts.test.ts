import { describe, expect, it } from 'vitest'
import { factsOf } from '../../tests/fixtures/facts.ts'
import { triggerVerdicts } from './trigger-verdicts.ts'

const NAME = { namespace: 'default', name: 'billing' }
const GIVEN_UP = { lastGivenUp: 'o-1', lastGivenUpAttempts: 3, lastGivenUpFailure: 'answered 500 (no ink)' }

/** Returns the verdicts about a trigger with these data of its check. */
function verdictsOf(data: Readonly<Record<string, string | number>>, deadLetterSink?: string) {
  const trigger = {
    ...{
      ...NAME,
      ready: 'True' as const,
      broker: 'default',
      filter: {},
      subscriber: 'http://billing',
      wants: 'Service billing',
    },
    ...(deadLetterSink !== undefined && { deadLetterSink }),
  }
  const { system } = factsOf({})
  const checks = [{ name: 'Trigger default/billing', status: 'UP' as const, data }]
  return triggerVerdicts(
    factsOf({
      system: { ...system, platform: 'platform' },
      health: [{ name: 'platform', reports: { well: { checks } } }],
      eventing: { brokers: [{ ...NAME, name: 'default', ready: 'True' }], triggers: [trigger], sinks: [] },
    }),
  )
}

describe('decisions 3.191: the verdict of an event that was not delivered', () => {
  it('has the last answer, and names what would have kept it', () => {
    expect(verdictsOf({ ...GIVEN_UP, lastGivenUpEnd: 'dropped', dropped: 2 })).toMatchObject([
      {
        part: 'trigger/default/billing',
        severity: 'warning',
        problem: 'trigger billing: the last event was dropped after 3 attempts: answered 500 (no ink)',
        evidence: { event: 'o-1', dropped: 2, deadLetterSink: 'none' },
        remedy: expect.stringMatching(/^Give the trigger a deadLetterSink, .* Correct Service billing, then send/),
      },
    ])
  })

  it.each([
    ['dead-lettered', 'the last event became a dead letter after 3 attempts: answered'],
    ['dropped', 'the last event was dropped after 3 attempts, and those at its dead letter sink: answered'],
  ])('says how an event was %s where there is a dead letter sink', (lastGivenUpEnd, problem) => {
    const [verdict] = verdictsOf({ ...GIVEN_UP, lastGivenUpEnd }, 'http://letters')
    expect(verdict?.problem).toContain(problem)
    expect(verdict?.remedy).toMatch(/^Correct/)
  })

  it('is not there when the next event was delivered', () => {
    expect(verdictsOf({ delivered: 1, dropped: 1 })).toEqual([])
  })
})
