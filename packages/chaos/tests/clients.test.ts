import { describe, expect, it } from 'vitest'
import { runClients } from '../src/clients/clients-run.ts'

describe('a crowd on one beer-stream', () => {
  it('decisions 1.41, 1.42: every client gets every beer in order; who does not read is dropped', async () => {
    const report = await runClients({ count: 200, durationMs: 2000, rate: 20, signal: new AbortController().signal })
    expect(report.findings).toEqual([])
    expect(Number(report.facts['events delivered'])).toBeGreaterThan(200 * 20)
  }, 60_000)
})
