import { describe, expect, it } from 'vitest'
import { addUp, summaryLines, timeLines } from './summary.ts'

const report = { passed: 2, failed: [], skipped: {}, seconds: 1, cpuSeconds: 3 }

describe('summaryLines', () => {
  it('lists failures, skips of all workspaces by what they need, and what was left out, above the counts', () => {
    const failed = [{ file: 'apps/a/tests/a.test.ts', test: 'a > holds', reason: 'expected 1 to be 2' }]
    const totals = addUp([
      { ...report, skipped: { kcat: 3, Linux: 1 } },
      { ...report, failed, skipped: { kcat: 2 } },
    ])
    expect(summaryLines(totals, ['the audit: no source answered'])).toEqual([
      'FAILED: apps/a/tests/a.test.ts > a > holds: expected 1 to be 2',
      'skipped: 5 need kcat',
      'skipped: 1 needs Linux',
      'left out: the audit: no source answered',
      '4 passed, 1 failed, 6 skipped',
    ])
  })

  it('names the file alone when the file itself failed', () => {
    const totals = addUp([{ ...report, failed: [{ file: 'a.test.ts', reason: 'no such import' }] }])
    expect(summaryLines(totals, [])).toContain('FAILED: a.test.ts: no such import')
  })
})

describe('timeLines', () => {
  it('has the most expensive first, with its share', () => {
    const [first, second, all] = timeLines([
      ['cheap', { ...report, cpuSeconds: 1 }],
      ['dear', report],
    ])
    expect(first).toMatch(/^dear +3\.0 CPU s +75\.0 % +1\.0 s$/)
    expect(second).toMatch(/^cheap +1\.0 CPU s/)
    expect(all).toMatch(/^all +4\.0 CPU s$/)
  })

  it('does without processor times where there are none', () => {
    expect(timeLines([['a', { ...report, cpuSeconds: undefined }]])[0]).toMatch(/^a +0\.0 CPU s/)
  })
})
