import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from './finding.ts'
import { shortened } from './kit/text.ts'

/** Tells of findings, each kind of them a few times, and keeps their inputs in files. */
export interface FindingLog {
  add(finding: Finding): void
  /** How many there were, and how many of a kind. */
  summary(): readonly string[]
}

/** Findings that differ in numbers only are told so often. */
const TOLD = 3

/** Tells of a surface's findings, line by line; `folder` gets a file for each one told. */
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
      if (times > TOLD) return
      inputs ??= mkdtempSync(join(folder, `${surface}-`))
      const file = join(inputs, `${kind}-${input}.txt`)
      writeFileSync(file, text, 'latin1')
      write(`FOUND ${kind} ${surface} --seed ${seed} --only ${input}: ${message}`)
      write(`      ${shortened(text)} in ${file}`)
    },
    summary: () =>
      [...counts].filter(([, times]) => times > TOLD).map(([sort, times]) => `${surface}: ${times} times ${sort}`),
  }
}
