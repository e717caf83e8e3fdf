import { describe, expect, it } from 'vitest'
import { runBeers } from '../src/beers/beers-run.ts'
import { createRandom } from '../src/events/random.ts'

describe('the beer services, killed at random under load', () => {
  it('lead: every beer in the log is priced exactly once and seen once, in order, by clients that reconnect', async () => {
    const report = await runBeers({
      durationMs: 9000,
      pauseMs: 2500,
      rate: 50,
      partitions: 2,
      clients: 2,
      random: createRandom(5).next,
      signal: new AbortController().signal,
    })
    expect(report.findings).toEqual([])
    expect(report.facts['kills']).toMatch(/[1-9]/)
  }, 120_000)
})
