import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { reasonOf } from '@taproom/core/lines'

/** The command line is wrong; the message ends with the usage. */
export class UsageError extends RangeError {
  override readonly name = 'UsageError'
}

/** An option whose value is a number above 0. */
interface NumberOption {
  readonly absent: number
  readonly fits: (text: string) => boolean
  readonly expected: string
}

/** A number above 0, by default `absent`. */
export function positive(absent: number): NumberOption {
  return { absent, fits: (text) => Number(text) > 0 && Number.isFinite(Number(text)), expected: 'a number above 0' }
}

/** A whole number above 0, by default `absent`. */
export function whole(absent: number): NumberOption {
  return { absent, fits: (text) => /^[1-9]\d{0,8}$/.test(text), expected: 'a whole number above 0' }
}

/** The seed of a run, by default of the clock. */
export function seed(): NumberOption {
  return whole((Date.now() % 1_000_000) + 1)
}

/**
 * Reads a command line: numbers, and `others` as `parseArgs` knows them.
 *
 * @throws {UsageError} when an option does not exist or its value is wrong, naming it
 */
export function readOptions<N extends string, O extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: { readonly usage: string; readonly numbers: Readonly<Record<N, NumberOption>>; readonly others?: O },
) {
  const numbers = Object.entries<NumberOption>(options.numbers)
  const texts = Object.fromEntries(numbers.map(([name]) => [name, { type: 'string' }] as const))
  const fail = (problem: string) => new UsageError(`${problem}\n${options.usage}`)
  let values: Readonly<Record<string, unknown>>
  try {
    values = parseArgs({ args: [...args], options: { ...texts, ...options.others } }).values
  } catch (error) {
    throw fail(reasonOf(error))
  }
  const read = ([name, { absent, fits, expected }]: (typeof numbers)[number]) => {
    const text = String(values[name] ?? absent)
    if (!fits(text)) throw fail(`--${name}=${text}: expected ${expected}`)
    return [name, Number(text)]
  }
  return { ...values, ...Object.fromEntries(numbers.map(read)) } as Readonly<Record<N, number>> &
    ReturnType<typeof parseArgs<{ options: O }>>['values']
}
