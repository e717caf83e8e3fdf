import type { Verdict, Verdicts } from '@taproom/console/api'
import { visible } from '@taproom/core/lines'
import type { PartFacts } from './part-facts.ts'

const MAX_TEXT = 2000

/** Verdicts as a terminal shows them: errors first, control characters as escapes. */
export function verdictsText({ items, unknown }: Verdicts): string {
  const errors = items.filter(({ severity }) => severity === 'error')
  const others = items.filter(({ severity }) => severity !== 'error')
  const blocks = [...errors, ...others].map(block)
  const notAsked = Object.entries(unknown).map(([what, reason]) => `not known: ${what}: ${visible(reason, MAX_TEXT)}\n`)
  return [...blocks, ...notAsked].join('\n') || 'all is well\n'
}

/** Parts with what is known of them, each with an empty line behind it. */
export function factsText(about: Readonly<Record<string, PartFacts>>): string {
  return Object.entries(about)
    .map(([part, facts]) => [part, ...Object.entries(facts).map(([name, value]) => `  ${name}: ${value}`)])
    .map((lines) => `${lines.map((line) => visible(line, MAX_TEXT)).join('\n')}\n\n`)
    .join('')
}

function block({ part, severity, problem, evidence, remedy, source }: Verdict): string {
  const values = Object.entries(evidence).map(([name, value]) => `${name} ${value}`)
  const lines = [`${severity}: ${problem}`, `  part: ${part}`, `  evidence: ${values.join(', ')}`, `  do: ${remedy}`]
  if (source !== undefined) lines.push(`  at: ${source}`)
  return `${lines.map((line) => visible(line, MAX_TEXT)).join('\n')}\n`
}
