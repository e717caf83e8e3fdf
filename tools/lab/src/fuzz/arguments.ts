import { parseArgs } from 'node:util'
import { reasonOf } from '@taproom/core/lines'
import { SURFACES } from './surface-names.ts'

export class UsageError extends RangeError {
  override readonly name = 'UsageError'
}

export interface FuzzArguments {
  readonly surfaces: readonly string[]
  /** For all surfaces together. */
  readonly seconds: number
  /** At most, for each surface. */
  readonly inputs: number
  readonly seed: number
  /** The only input to try. */
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
  const { values, positionals } = parse(args)
  for (const surface of positionals) {
    if (!SURFACES.includes(surface)) throw new UsageError(`no surface "${surface}"\n${USAGE}`)
  }
  return {
    surfaces: positionals.length === 0 ? SURFACES : positionals,
    seconds: whole('seconds', values.seconds) ?? DEFAULT_SECONDS,
    inputs: whole('inputs', values.inputs) ?? Number.MAX_SAFE_INTEGER,
    seed: whole('seed', values.seed) ?? (Date.now() % 1_000_000) + 1,
    only: whole('only', values.only),
    help: values.help ?? false,
  }
}

const TEXT = { type: 'string' } as const

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { seconds: TEXT, inputs: TEXT, seed: TEXT, only: TEXT, help: { type: 'boolean', short: 'h' } },
    })
  } catch (error) {
    throw new UsageError(`${reasonOf(error)}\n${USAGE}`)
  }
}

function whole(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${name}=${text}: expected a whole number\n${USAGE}`)
  return Number(text)
}
