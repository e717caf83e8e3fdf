import type { Result } from './compare.ts'

export function table(unit: string, results: readonly Result[]): string {
  const lines = results.map((result) => {
    const { row, oursRate, peerRate } = result
    const ours = `${row.ours.name} ${rounded(oursRate)}`
    return [row.what, ours, `${row.peer.name} ${rounded(peerRate)}`, ...outcome(result)]
  })
  const rows = [['', `ours (${unit})`, 'peer', 'ratio', 'budget', ''], ...lines]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n')
}

/** The measured value, the budget, and whether it holds. */
function outcome({ row, ratio, longer, holds }: Result): readonly [string, string, string] {
  const verdict = holds ? 'holds' : 'MISSED'
  if (row.atMostLonger !== undefined) return [`+${duration(longer)}`, `≤ +${duration(row.atMostLonger)}`, verdict]
  if (row.atLeast !== undefined) return [ratio.toFixed(2), `≥ ${row.atLeast.toFixed(2)}`, verdict]
  return [ratio.toFixed(2), '', '']
}

function duration(seconds: number): string {
  return Math.abs(seconds) < 1e-3 ? `${(seconds * 1e6).toFixed(2)} µs` : `${(seconds * 1e3).toFixed(2)} ms`
}

function rounded(rate: number): string {
  return rate >= 100 ? Math.round(rate).toString() : rate.toPrecision(3)
}
