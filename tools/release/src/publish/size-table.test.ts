import { describe, expect, it } from 'vitest'
import { type SizeRow, staleRows, withTable } from './size-table.ts'

const row = (name: string, kib: number, dependencies = 0, isPeer = false): SizeRow => {
  return { name, ownBytes: kib * 1024, allBytes: kib * 1024, dependencies, isPeer }
}
const EMPTY = 'before\n<!-- generated: sizes -->\n\n\n<!-- end of generated -->\nafter'

describe('the table of sizes', () => {
  it('is written between its marks, peers in brackets, and is then true', () => {
    const rows = [row('jwt', 200, 5), row('jose', 400, 0, true)]
    const text = withTable(EMPTY, rows)
    expect(text).toMatch(/^before\n.*\| \(jose\) .*\nafter$/s)
    expect(staleRows(text, rows)).toEqual([])
    expect(withTable(text, rows)).toBe(text)
  })

  it('is wrong when a package is new, gone, much larger or needs another', () => {
    const text = withTable(EMPTY, [row('jwt', 200, 5), row('time', 20), row('http', 100), row('limits', 100)])
    const rows = [row('jwt', 200, 6), row('http', 120), row('lines', 10), row('limits', 110)]
    expect(staleRows(text, rows)).toEqual([
      'the table of sizes has time',
      'the table of sizes is wrong for jwt',
      'the table of sizes is wrong for http',
      'the table of sizes is wrong for lines',
    ])
  })

  it('has to have a place', () => {
    expect(() => withTable('nothing', [])).toThrow('no place')
  })
})
