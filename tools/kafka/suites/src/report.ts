import type { Comparison } from './compare.ts'
import type { Suite } from './suite.ts'

/** A suite that ran, or the reason why it did not. */
export type Entry = readonly [suite: Suite, result: Comparison | string]

const HEAD = [
  '| suite | embedded-kafka | Apache Kafka | skipped | fails on both | explained | not explained |',
  '| --- | --- | --- | --- | --- | --- | --- |',
]

/** The table with its details, and whether every difference is explained. */
export function report(entries: readonly Entry[]): { readonly text: string; readonly isExplained: boolean } {
  const details: string[] = []
  for (const [{ name }, result] of entries) {
    if (typeof result === 'string') continue
    details.push(...result.differences.map(({ test, because }) => `${name} ${test}: ${because ?? 'NOT EXPLAINED'}`))
    details.push(...result.failedOnBoth.map((test) => `${name} ${test}: fails on both`))
    details.push(...result.passedByUs.map((test) => `${name} ${test}: passes on embedded-kafka only`))
    details.push(...result.gone.map((test) => `${name} ${test}: explained, but passes: take it out of differences.ts`))
  }
  const isExplained = entries.every(([, result]) => typeof result === 'string' || unexplained(result) === 0)
  return { text: [...HEAD, ...entries.map(row), '', ...details].join('\n').trimEnd(), isExplained }
}

function unexplained({ differences }: Comparison): number {
  return differences.filter(({ because }) => because === undefined).length
}

function row([{ name, version }, result]: Entry): string {
  if (typeof result === 'string') return `| ${name} ${version} | left out: ${result} | | | | | |`
  const { passed, failed, skipped, passedByPeer, differences, failedOnBoth } = result
  const all = passed + failed
  const open = unexplained(result)
  const counts = [`${passed} of ${all}`, `${passedByPeer} of ${all}`, skipped, failedOnBoth.length]
  return `| ${name} ${version} | ${[...counts, differences.length - open, open].join(' | ')} |`
}

const BEGIN = '<!-- generated: results -->'
const END = '<!-- end of generated -->'

/**
 * A text whose table of results, between two marks, has the new rows of suites that ran; the others stay as they are. The order is that
 * of `names`.
 */
export function withResults(text: string, entries: readonly Entry[], names: readonly string[]): string {
  const [before = '', rest = ''] = text.split(BEGIN)
  const [old = '', after = ''] = rest.split(END)
  const ran = entries.filter(([, result]) => typeof result !== 'string')
  const rows = [...old.split('\n'), ...ran.map(row)].filter((line) => line.startsWith('| '))
  const last = names.flatMap((name) => rows.findLast((line) => line.startsWith(`| ${name} `)) ?? [])
  return `${before}${BEGIN}\n\n${[...HEAD, ...last].join('\n')}\n\n${END}${after}`
}
