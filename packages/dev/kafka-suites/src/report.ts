import type { Comparison } from './compare.ts'
import type { Suite } from './suite.ts'

/** A suite that ran, or the reason why it did not. */
export type Entry = readonly [suite: Suite, result: Comparison | string]

/** The table, what is behind it, and whether there is nothing that somebody has yet to explain or mend. */
export function report(entries: readonly Entry[]): { readonly text: string; readonly isExplained: boolean } {
  const lines = [
    '| suite | embedded-kafka | Apache Kafka | skipped | explained | not explained |',
    '|---|---|---|---|---|---|',
  ]
  const details: string[] = []
  let open = 0
  for (const [{ name, version }, result] of entries) {
    if (typeof result === 'string') {
      lines.push(`| ${name} ${version} | left out: ${result} | | | | |`)
      continue
    }
    const { passed, failed, skipped, passedByPeer, differences, failedOnBoth } = result
    const explained = differences.filter(({ because }) => because !== undefined)
    open += differences.length - explained.length
    const all = passed + failed
    const counts = [`${passed} of ${all}`, `${passedByPeer} of ${all}`, skipped, explained.length]
    lines.push(`| ${name} ${version} | ${[...counts, differences.length - explained.length].join(' | ')} |`)
    details.push(...differences.map(({ test, because }) => `${name} ${test}: ${because ?? 'NOT EXPLAINED'}`))
    details.push(...failedOnBoth.map((test) => `${name} ${test}: fails on both`))
  }
  return { text: [...lines, '', ...details].join('\n').trimEnd(), isExplained: open === 0 }
}
