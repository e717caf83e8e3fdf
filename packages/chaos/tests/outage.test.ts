import { describe, expect, it } from 'vitest'
import { runOutage } from '../src/beers/outage-run.ts'

describe('the beer services, while Kafka is away', () => {
  it('decisions 1.50, 1.35: not ready but alive, beers dropped and counted; all goes on without a restart', async () => {
    const report = await runOutage({
      outageMs: 6000,
      noticeMs: 5000,
      resumeMs: 15_000,
      rate: 50,
      partitions: 2,
      clients: 2,
      signal: new AbortController().signal,
    })
    expect(report.findings).toEqual([])
  }, 120_000)
})
