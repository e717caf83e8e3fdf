import { type ParseArgsConfig, parseArgs } from 'node:util'
import { reasonOf, reasonWithCause, visible } from '@taproom/core/lines'

/** The command line is wrong; the message says how, and may end with the usage. */
export class UsageError extends RangeError {
  override readonly name = 'UsageError'
}

interface NumberOption<A extends number | undefined = number | undefined> {
  readonly absent: A
  readonly fits: (text: string) => boolean
  readonly expected: string
}

/** A number above 0, by default `absent`. */
export function positive(absent: number): NumberOption<number> {
  return { absent, fits: (text) => Number(text) > 0 && Number.isFinite(Number(text)), expected: 'a number above 0' }
}

/** A whole number above 0, by default `absent`. */
export function whole(absent: number): NumberOption<number> {
  return { absent, fits: (text) => /^[1-9]\d{0,8}$/.test(text), expected: 'a whole number above 0' }
}

/** A whole number, by default `absent`. */
export function wholeOrZero<A extends number | undefined>(absent: A): NumberOption<A> {
  return { absent, fits: (text) => /^\d{1,9}$/.test(text), expected: 'a whole number' }
}

/** The number of a run by which it can be repeated, by default of the clock. */
export const clockSeed = () => (Date.now() % 1_000_000) + 1

type Parsed<O> = ReturnType<typeof parseArgs<{ options: O & {}; allowPositionals: true }>>

/** Reads a command line as `parseArgs` does, names included. @throws {UsageError} what is wrong, then the usage */
export function parseOptions<const O extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: O,
  { usage = '', allowPositionals = false }: { readonly usage?: string; readonly allowPositionals?: boolean } = {},
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals }) as Parsed<O>
  } catch (error) {
    throw new UsageError(`${reasonOf(error)}${usage && `\n${usage}`}`)
  }
}

/**
 * Reads a command line: numbers, and `others` as `parseArgs` knows them.
 *
 * @throws {UsageError} when an option does not exist or its value is wrong, naming it
 */
export function readOptions<
  N extends Readonly<Record<string, NumberOption>>,
  const O extends NonNullable<ParseArgsConfig['options']>,
>(
  args: readonly string[],
  options: { readonly usage: string; readonly numbers: N; readonly others?: O; readonly allowPositionals?: boolean },
) {
  const numbers = Object.entries<NumberOption>(options.numbers)
  const texts = Object.fromEntries(numbers.map(([name]) => [name, { type: 'string' }] as const))
  const { values, positionals } = parseOptions(args, { ...texts, ...options.others }, options)
  const given: Readonly<Record<string, unknown>> = values
  const read = ([name, { absent, fits, expected }]: (typeof numbers)[number]) => {
    if (given[name] === undefined) return [name, absent]
    const text = String(given[name])
    if (!fits(text)) throw new UsageError(`--${name}=${text}: expected ${expected}\n${options.usage}`)
    return [name, Number(text)]
  }
  const found = { ...values, ...Object.fromEntries(numbers.map(read)) }
  return { values: found as Parsed<O>['values'] & { [K in keyof N]: number | N[K]['absent'] }, positionals }
}

const LAST_CHANCE_MS = 5000

/** Runs a command: the exit code is 1 when it gives false or fails, 2 when its command line is wrong, or what `codeOf` says of an error. */
export async function runCommand(
  command: (args: readonly string[]) => Promise<boolean>,
  codeOf: (error: unknown) => number = () => 1,
): Promise<void> {
  try {
    if (!(await command(process.argv.slice(2)))) process.exitCode = 1
  } catch (error) {
    const lines = explain(error).trimEnd().split('\n')
    process.stderr.write(`${lines.map((line) => visible(line)).join('\n')}\n`)
    process.exitCode = error instanceof UsageError ? 2 : codeOf(error)
  }
  // Open connections must not delay the exit.
  setTimeout(() => process.exit(), LAST_CHANCE_MS).unref()
}

/** The message of an error with its cause and the errors it holds. */
function explain(error: unknown): string {
  if (error instanceof SuppressedError) return `${explain(error.suppressed)}\nand then ${explain(error.error)}`
  return reasonWithCause(error)
}
