import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from './finding.ts'
import { shortened } from './kit/text.ts'

/** Prints findings, a few of each sort, and keeps their inputs in files. */
export interface FindingLog {
  add(finding: Finding): void
  count(kind: Finding['kind']): number
  /** Lines with the numbers of findings of which not all were printed. */
  summary(): readonly string[]
}

/** How many findings are printed that differ only in numbers. */
const SHOWN = 3

/** Logs a surface's findings, line by line; `folder` gets a file for each one printed. */
export function createFindingLog(
  surface: string,
  seed: number,
  folder: string,
  write: (line: string) => void,
): FindingLog {
  const kinds = new Map<string, number>()
  const sorts = new Map<string, number>()
  const increased = (counts: Map<string, number>, name: string) => {
    const times = (counts.get(name) ?? 0) + 1
    counts.set(name, times)
    return times
  }
  let inputs: string | undefined
  return {
    add({ kind, input, message, text }) {
      increased(kinds, kind)
      if (increased(sorts, `${kind} ${message.replaceAll(/[\d,]+/g, '#').slice(0, 120)}`) > SHOWN) return
      inputs ??= mkdtempSync(join(folder, `${surface}-`))
      const file = join(inputs, `${kind}-${input}.txt`)
      writeFileSync(file, text, 'latin1')
      write(`FOUND ${kind} ${surface} --seed ${seed} --only ${input}: ${message}`)
      write(`      ${shortened(text)} in ${file}`)
    },
    count: (kind) => kinds.get(kind) ?? 0,
    summary: () =>
      [...sorts].filter(([, times]) => times > SHOWN).map(([sort, times]) => `${surface}: ${times} times ${sort}`),
  }
}
