import type { Comparison, Count } from './compare.ts'
import type { Suite } from './suite.ts'

/** A suite that ran here. */
export interface Result {
  readonly comparison: Comparison
  /** Why it did not run on Apache Kafka; undefined: it did. */
  readonly withoutPeer: string | undefined
}

/** A suite that ran, or the reason why it did not. */
export type Entry = readonly [suite: Suite, result: Result | string]

const NAMES = [
  'suite',
  'embedded-kafka',
  'Apache Kafka',
  'skipped',
  'fails on both',
  'explained',
  'not explained',
  'not comparable',
  'run on',
]
const HEAD = [`| ${NAMES.join(' | ')} |`, `| ${NAMES.map(() => '---').join(' | ')} |`]

/** The table with its details. It is good when every suite ran on both, and each test is comparable and the same, or explained. */
export function report(entries: readonly Entry[], date: string): { readonly text: string; readonly isGood: boolean } {
  const details = entries.flatMap(([{ name }, result]) => detailsOf(result).map((line) => `${name} ${line}`))
  const rows = entries.map((entry) => row(entry, date))
  return { text: [...HEAD, ...rows, '', ...details].join('\n').trimEnd(), isGood: entries.every(isGood) }
}

function isGood([, result]: Entry): boolean {
  if (typeof result === 'string') return false
  return unexplained(result.comparison) === 0 && result.comparison.notComparable.length === 0
}

function detailsOf(result: Result | string): readonly string[] {
  if (typeof result === 'string') return [`did not run: ${result}`]
  const { differences, failedOnBoth, passedByUs, notComparable, gone } = result.comparison
  const incomparable =
    result.withoutPeer === undefined
      ? notComparable.map((test) => `${test}: not comparable, Apache Kafka did not reach it`)
      : [`not comparable, it did not run on Apache Kafka: ${result.withoutPeer}`]
  return [
    ...differences.map(({ test, ours, because }) => `${test}: ${ours}: ${because ?? 'NOT EXPLAINED'}`),
    ...incomparable,
    ...failedOnBoth.map((test) => `${test}: fails on both`),
    ...passedByUs.map((test) => `${test}: passes on embedded-kafka only`),
    ...gone.map((test) => `${test}: explained, but passes: take it out of differences.ts`),
  ]
}

function unexplained({ differences }: Comparison): number {
  return differences.filter(({ because }) => because === undefined).length
}

const counted = ({ passed, of }: Count) => `${passed} of ${of}`

function row([{ name, version }, result]: Entry, date: string): string {
  const first = `${name} ${version}`
  if (typeof result === 'string')
    return `| ${[first, `did not run: ${result}`, '', '', '', '', '', '', date].join(' | ')} |`
  const { ours, peer, skipped, differences, failedOnBoth, notComparable } = result.comparison
  const open = unexplained(result.comparison)
  const byPeer = result.withoutPeer === undefined ? counted(peer) : 'did not run'
  const counts = [skipped, failedOnBoth.length, differences.length - open, open, notComparable.length]
  return `| ${[first, counted(ours), byPeer, ...counts, date].join(' | ')} |`
}

const BEGIN = '<!-- generated: results -->'
const END = '<!-- end of generated -->'

/**
 * A text whose table of results, between two marks, has the new rows of suites that ran on both; the others stay as they are. The order is
 * that of `names`.
 */
export function withResults(
  text: string,
  entries: readonly Entry[],
  { names, date }: { readonly names: readonly string[]; readonly date: string },
): string {
  const [before = '', rest = ''] = text.split(BEGIN)
  const [old = '', after = ''] = rest.split(END)
  const ran = entries.filter(([, result]) => typeof result !== 'string' && result.withoutPeer === undefined)
  const rows = [...old.split('\n'), ...ran.map((entry) => row(entry, date))].filter((line) => line.startsWith('| '))
  const last = names.flatMap((name) => rows.findLast((line) => line.startsWith(`| ${name} `)) ?? [])
  return `${before}${BEGIN}\n\n${[...HEAD, ...last].join('\n')}\n\n${END}${after}`
}
