import { describe, expect, it } from 'vitest'
import { runEventsScenario } from '../src/events/events-scenario.ts'

describe('pnpm chaos events, for a moment', () => {
  it('loses no accepted event while event-platform, its sinks and Kafka are killed', async () => {
    const { figures, problems } = await runEventsScenario({
      count: 300,
      rate: 100,
      seed: 3,
      killEveryMs: 1000,
      log: () => {},
    })
    expect(problems).toEqual([])
    expect(figures).toMatchObject({ accepted: 300, delivered: 780 })
    const kills = Object.entries(figures).filter(([name]) => name.startsWith('kills of'))
    expect(kills.reduce((sum, [, times]) => sum + Number(times), 0)).toBeGreaterThanOrEqual(2)
  }, 60_000)
})
