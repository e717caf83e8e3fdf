import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { chart } from './chart.ts'
import { CURVES } from './curves.ts'
import { chartMarks, withChart } from './readme-charts.ts'

const GROWTH = {
  of: 'tokens',
  what: 'a request with each',
  rounds: 7,
  each: { median: 1.1, low: 1.05, high: 1.2 },
  verdict: 'at most linear',
} as const

describe('chart', () => {
  it('draws each cost beside what a linear one would be', () => {
    const costs = [
      { size: 10, cost: 0.001 },
      { size: 100, cost: 0.005 },
      { size: 1000, cost: 0.11 },
    ]
    const bars = { first: '█'.repeat(10), falls: `${'█'.repeat(24)}${' '.repeat(6)}`, grows: '█'.repeat(50) }
    expect(chart({ ...GROWTH, costs })).toBe(
      `a request with each
tokens  cost     each
    10  1.00 ms  100 µs   ${bars.first}|
   100  5.00 ms  50.0 µs  ${bars.falls}|
 1,000  110 ms   110 µs   ${bars.grows}|
at most linear: cost as n^1.02, each ×1.10 (1.05 to 1.20), 7 rounds`,
    )
  })

  it('draws what is worse past the linear one, and no range where there is none', () => {
    const costs = [
      { size: 1, cost: 0.2 },
      { size: 100, cost: 200 },
    ]
    const each = { median: 10, low: 10, high: 10 }
    const text = chart({ ...GROWTH, costs, each, verdict: 'WORSE THAN LINEAR' })
    expect(text).toContain(`   100  200 s   2.00 s  ${'█'.repeat(50)}|${'█'.repeat(19)}\n`)
    expect(text).toMatch(/\nWORSE THAN LINEAR: cost as n\^1\.50, each ×10\.00, 7 rounds$/)
  })

  it.each([
    [999.6e-9, '1.00 µs'],
    [3.4e-9, '3.40 ns'],
    [0.25, '250 ms'],
  ])('shows %d seconds as %s', (cost, shown) => {
    expect(chart({ ...GROWTH, costs: [{ size: 1, cost }] })).toContain(`     1  ${shown}  ${shown}  `)
  })
})

describe('withChart', () => {
  const { begin, end } = chartMarks('tokens')

  it('replaces what is between the marks of a curve', () => {
    const readme = `# Bench\n\n${begin}old\n${end}\n\nMore.\n`
    const once = withChart(readme, 'tokens', 'a chart')
    expect(once).toBe(`# Bench\n\n${begin}\n\`\`\`text\na chart\n\`\`\`\n\n${end}\n\nMore.\n`)
    expect(withChart(once, 'tokens', 'a chart')).toBe(once)
  })

  it.each([
    ['no marks', '# Bench\n'],
    ['no end', `${begin}old\n`],
    ['marks in the wrong order', `${end}\n${begin}`],
    ['marks twice', `${begin}${end}\n${begin}${end}\n`],
  ])('refuses a README with %s', (_, readme) => {
    expect(() => withChart(readme, 'tokens', 'a chart')).toThrow(/no place for the growth of tokens/)
  })

  it('finds a place for every curve in the README', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
    for (const name of Object.keys(CURVES)) expect(withChart(readme, name, 'a chart')).toContain('a chart')
  })
})
