import type { Result } from './compare.ts'

/** The results as lines of aligned columns. */
export function table(unit: string, results: readonly Result[]): string {
  const lines = results.map(({ row, oursRate, peerRate, ratio, holds }) => [
    row.what,
    `${row.ours.name} ${rounded(oursRate)}`,
    `${row.peer.name} ${rounded(peerRate)}`,
    ratio.toFixed(2),
    `≥ ${row.atLeast.toFixed(2)}`,
    holds ? 'holds' : 'MISSED',
  ])
  const rows = [['', `ours (${unit})`, 'peer', 'ratio', 'budget', ''], ...lines]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n')
}

function rounded(rate: number): string {
  return rate >= 100 ? Math.round(rate).toString() : rate.toPrecision(3)
}
