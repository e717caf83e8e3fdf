import { clockSeed, readOptions, UsageError, wholeOrZero } from '../harness/command-line.ts'
import { SURFACES } from './surface-names.ts'

export interface FuzzArguments {
  readonly surfaces: readonly string[]
  /** For all surfaces together. */
  readonly seconds: number
  readonly inputs: number
  readonly seed: number
  readonly only: number | undefined
  readonly help: boolean
}

const DEFAULT_SECONDS = 60

export const USAGE = `usage: pnpm fuzz [surface…] [--seconds N] [--inputs N] [--seed N] [--only N]
surfaces: ${SURFACES.join(', ')}
  --seconds  for all surfaces together; default ${DEFAULT_SECONDS}
  --inputs   for each surface at most; default as many as there is time for
  --seed     the same seed tries the same inputs; default of the clock, printed
  --only     tries the input of this number alone`

/** @throws {UsageError} when something is unknown or not a number */
export function readArguments(args: readonly string[]): FuzzArguments {
  const { values, positionals } = readOptions(args, {
    usage: USAGE,
    numbers: {
      seconds: wholeOrZero(DEFAULT_SECONDS),
      inputs: wholeOrZero(Number.MAX_SAFE_INTEGER),
      seed: wholeOrZero(clockSeed()),
      only: wholeOrZero(undefined),
    },
    others: { help: { type: 'boolean', short: 'h', default: false } },
    allowPositionals: true,
  })
  const strange = positionals.find((surface) => !SURFACES.includes(surface))
  if (strange !== undefined) throw new UsageError(`no surface "${strange}"\n${USAGE}`)
  return { ...values, surfaces: positionals.length === 0 ? SURFACES : positionals }
}
