import { parseOptions, UsageError } from '../harness/command-line.ts'
import { FEWEST_VALUES } from './estimate.ts'

/** A command line of `pnpm bench`, as it is read. */
export type Command =
  /** Measures areas; `isJson`: our side alone, its rounds as JSON. `rounds`: default as each area says. */
  | { readonly kind: 'areas'; readonly names: readonly string[]; readonly rounds?: number; readonly isJson: boolean }
  /** Measures areas of this work tree and of the commit `ref`. */
  | { readonly kind: 'compare'; readonly names: readonly string[]; readonly rounds: number; readonly ref: string }
  /** Measures curves; `isWritten`: writes their charts into the README. */
  | { readonly kind: 'growth'; readonly names: readonly string[]; readonly rounds: number; readonly isWritten: boolean }

interface Known {
  readonly areas: readonly string[]
  /** Areas that are left out unless they are named. */
  readonly onlyNamed: readonly string[]
  readonly curves: readonly string[]
}

/** The fewest rounds that give an interval, and one. */
export const DEFAULT_ROUNDS = 7

const OPTIONS = {
  rounds: { type: 'string' },
  json: { type: 'boolean' },
  compare: { type: 'string' },
  growth: { type: 'boolean' },
  write: { type: 'boolean' },
} as const

/** @throws {UsageError} saying what is wrong */
export function readCommand(args: readonly string[], known: Known): Command {
  const { values, positionals } = parseOptions(args, OPTIONS, { allowPositionals: true })
  refuseTogether(values)
  const { json: isJson = false, write: isWritten = false, compare: ref } = values
  const rounds = values.rounds === undefined ? undefined : wholeNumber('--rounds', values.rounds)
  if (values.growth) {
    const names = positionals.length > 0 ? allOf('curve', positionals, known.curves) : known.curves
    return { kind: 'growth', names, rounds: rounds ?? DEFAULT_ROUNDS, isWritten }
  }
  const areas =
    positionals.length > 0
      ? allOf('area', positionals, known.areas)
      : known.areas.filter((area) => !known.onlyNamed.includes(area))
  if (ref === undefined) return { kind: 'areas', names: areas, isJson, ...(rounds !== undefined && { rounds }) }
  if (rounds !== undefined && rounds < FEWEST_VALUES) {
    throw new UsageError(`--rounds=${rounds}: with --compare at least ${FEWEST_VALUES}, fewer say nothing`)
  }
  return { kind: 'compare', names: areas, rounds: rounds ?? DEFAULT_ROUNDS, ref }
}

function refuseTogether(values: Readonly<Partial<Record<keyof typeof OPTIONS, unknown>>>): void {
  const [one, other] = (['compare', 'growth', 'json'] as const).filter((name) => values[name] !== undefined)
  if (one !== undefined && other !== undefined) throw new UsageError(`--${one} and --${other} do not go together`)
  if (values.write && !values.growth) throw new UsageError('--write is for --growth')
}

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new UsageError(`${name}=${text}: expected a whole number from 1 to 9999`)
  return Number(text)
}

function allOf(kind: string, names: readonly string[], known: readonly string[]): readonly string[] {
  const strange = names.find((name) => !known.includes(name))
  if (strange !== undefined) throw new UsageError(`no ${kind} ${strange}: there are ${known.join(', ')}`)
  return [...new Set(names)]
}
