import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from './finding.ts'
import { shortened } from './kit/text.ts'

/** Prints findings, a few of each kind, and keeps their inputs in files. */
export interface FindingLog {
  add(finding: Finding): void
  /** Lines with the numbers of findings by kind. */
  summary(): readonly string[]
}

/** How many findings are printed that differ only in numbers. */
const SHOWN = 3

/** Logs a surface's findings, line by line; `folder` gets a file for each one printed. */
export function createFindingLog({
  surface,
  seed,
  folder,
  write,
}: {
  readonly surface: string
  readonly seed: number
  readonly folder: string
  readonly write: (line: string) => void
}): FindingLog {
  const counts = new Map<string, number>()
  let inputs: string | undefined
  return {
    add({ kind, input, message, text }) {
      const sort = `${kind} ${message.replaceAll(/[\d,]+/g, '#').slice(0, 120)}`
      const times = (counts.get(sort) ?? 0) + 1
      counts.set(sort, times)
      if (times > SHOWN) return
      inputs ??= mkdtempSync(join(folder, `${surface}-`))
      const file = join(inputs, `${kind}-${input}.txt`)
      writeFileSync(file, text, 'latin1')
      write(`FOUND ${kind} ${surface} --seed ${seed} --only ${input}: ${message}`)
      write(`      ${shortened(text)} in ${file}`)
    },
    summary: () =>
      [...counts].filter(([, times]) => times > SHOWN).map(([sort, times]) => `${surface}: ${times} times ${sort}`),
  }
}
