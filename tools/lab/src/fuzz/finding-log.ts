import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from './finding.ts'
import { shortened } from './kit/text.ts'

/** Prints findings, a few of each sort, and keeps their inputs in files. */
export interface FindingLog {
  add(finding: Finding): void
  count(kind: Finding['kind']): number
  /** A line for each sort of finding, at most {@link MOST_SORTS}. */
  distinct(): readonly string[]
}

/** How many findings are printed that differ only in numbers, or after a semicolon. */
const SHOWN = 3
/** Limit for distinct findings of a surface; further findings are only counted. */
export const MOST_SORTS = 20
const OTHERS = 'others'

interface Sort {
  readonly first: string
  times: number
}

/** Logs a surface's findings, line by line; `folder` gets a file for each one printed. */
export function createFindingLog(
  surface: string,
  seed: number,
  folder: string,
  write: (line: string) => void,
): FindingLog {
  const kinds = new Map<string, number>()
  const sorts = new Map<string, Sort>()
  let inputs: string | undefined
  return {
    add({ kind, input, message, text }) {
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      const [sortOf = ''] = message.split('; ', 1)
      const named = `${kind} ${sortOf.replaceAll(/[\d,]+/g, '#').slice(0, 120)}`
      const name = sorts.has(named) || sorts.size < MOST_SORTS - 1 ? named : OTHERS
      const line = `${kind} ${surface} --seed ${seed} --only ${input}: ${message}`
      const sort = sorts.get(name) ?? { first: line, times: 0 }
      sorts.set(name, sort)
      sort.times += 1
      if (sort.times > SHOWN) return
      inputs ??= mkdtempSync(join(folder, `${surface}-`))
      const file = join(inputs, `${kind}-${input}.txt`)
      writeFileSync(file, text, 'latin1')
      write(`FOUND ${line}`)
      write(`      ${shortened(text)} in ${file}`)
    },
    count: (kind) => kinds.get(kind) ?? 0,
    distinct: () =>
      [...sorts].map(
        ([name, { first, times }]) => `${times} times ${name === OTHERS ? `${OTHERS}, first ` : ''}${first}`,
      ),
  }
}
