import { visible } from '@taproom/core/lines'

/** The environment, as `main.ts` passes it. */
export type Env = Readonly<Record<string, string | undefined>>

/** A variable whose value has no effect, as OpenTelemetry's specification wants it. */
export interface IgnoredVariable {
  readonly variable: string
  /** Absent where it may be secret. */
  readonly value?: string
  readonly expected: string
}

interface NumberRange<D> {
  readonly default: D
  readonly min: number
  readonly max: number
}

const MAX_SHOWN = 200

/** Reads variables after OpenTelemetry's specification ("Environment Variable Specification"): an empty one is unset. */
export class OtelVariables {
  /** What has no effect. */
  readonly ignored: IgnoredVariable[] = []
  /** What stops the start. */
  readonly problems: string[] = []
  readonly #env: Env

  constructor(env: Env) {
    this.#env = env
  }

  text(name: string): string | undefined {
    const value = this.#env[name]?.trim()
    return value === '' ? undefined : value
  }

  /** `true` in any case is true; all else is false, and ignored if it is not `false`. */
  isTrue(name: string): boolean {
    const value = this.text(name)?.toLowerCase()
    if (value !== undefined && value !== 'true' && value !== 'false') this.ignore(name, 'true or false')
    return value === 'true'
  }

  /** Without regard to case; an unknown one is ignored. */
  oneOf<const T extends string>(name: string, values: readonly T[], fallback: NoInfer<T>): T {
    const text = this.text(name)?.toLowerCase()
    if (text === undefined) return fallback
    const value = values.find((candidate) => candidate === text)
    if (value === undefined) this.ignore(name, `one of ${values.join(', ')}`)
    return value ?? fallback
  }

  /** Comma separated, each once; unknown ones are ignored. */
  someOf<const T extends string>(name: string, values: readonly T[], fallback: readonly NoInfer<T>[]): readonly T[] {
    const text = this.text(name)?.toLowerCase()
    if (text === undefined) return fallback
    const asked = new Set(text.split(',').map((one) => one.trim()))
    const known = values.filter((value) => asked.has(value))
    if (known.length < asked.size) this.ignore(name, `a list of ${values.join(', ')}`)
    return known.length === 0 ? fallback : known
  }

  /** A number that is none, or out of range, is ignored. */
  integer<D extends number | undefined>(name: string, { default: fallback, min, max }: NumberRange<D>): number | D {
    const text = this.text(name)
    if (text === undefined) return fallback
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    this.ignore(name, `a whole number from ${min} to ${max}`)
    return fallback
  }

  /** A number from 0 to 1. */
  ratio(name: string): number {
    const text = this.text(name)
    if (text === undefined) return 1
    const value = /^(\d+\.?\d*|\.\d+)(e-?\d{1,2})?$/i.test(text) ? Number(text) : Number.NaN
    if (value >= 0 && value <= 1) return value
    this.ignore(name, 'a number from 0 to 1')
    return 1
  }

  /** Notes that a variable has no effect. */
  ignore(name: string, expected: string): void {
    const value = this.text(name) ?? ''
    this.ignored.push({ variable: name, value: visible(value, MAX_SHOWN), expected })
  }

  /** Notes that a variable stops the start; with `isSecret` its value is left out. */
  problem(name: string, expected: string, { isSecret = false } = {}): void {
    const value = withoutCredentials(this.text(name) ?? '')
    const shown = isSecret ? ' (value hidden)' : `=${JSON.stringify(visible(value, MAX_SHOWN))}`
    this.problems.push(`${name}${shown}: expected ${expected}`)
  }
}

function withoutCredentials(text: string): string {
  return text.replaceAll(/\/\/[^\s/?#]*@/g, '//***@')
}
