import { shownValue } from './config-error.ts'

/** The environment as a service sees it; only `main.ts` passes `process.env`. */
export type Env = Readonly<Record<string, string | undefined>>

/** Names of variables whose values are hidden even without `secret`. */
const SECRET_NAME = /PASSWORD|PASSWD|SECRET|CREDENTIAL|PRIVATE_?KEY|(^|[._])(API_?KEY|TOKEN)$/i

interface Secrecy {
  /** Leaves the value out of problems. Default false. */
  readonly secret?: boolean
}

interface NumberOptions {
  readonly default: number
  readonly min?: number
  readonly max?: number
}

/** Reads variables and collects every problem, so that all of them can be corrected at once. */
export interface EnvReader {
  /** Required when it has no default. */
  string(name: string, options?: { readonly default?: string } & Secrecy): string
  optionalString(name: string): string | undefined
  /** A whole number within `min` and `max`, both included. */
  integer(name: string, options: NumberOptions): number
  /** A decimal number within `min` and `max`, both included. */
  number(name: string, options: NumberOptions): number
  /** `true` or `false`, in any case. */
  boolean(name: string, options: { readonly default: boolean }): boolean
  oneOf<const T extends string>(name: string, values: readonly T[], options: { readonly default: NoInfer<T> }): T
  /** An absolute URL, without a trailing slash; required when it has no default. Protocols default to http and https. */
  url(name: string, options?: { readonly default?: string; readonly protocols?: readonly string[] } & Secrecy): string
  /** Comma separated texts, trimmed, empty ones dropped; `[]` when unset. */
  list(name: string): readonly string[]
  /** What `parse` returns for the text; if it throws, that becomes a problem that says what was `expected`. */
  custom<T>(
    name: string,
    options: {
      readonly expected: string
      readonly parse: (text: string) => T
      readonly default?: string
    } & Secrecy,
  ): T
  /** Adds a problem, such as variables that contradict each other. */
  problem(name: string, message: string): void
}

interface Variable<T> {
  readonly expected: string
  readonly parse: (text: string) => T
  readonly default?: T | undefined
  /** Stands in for an invalid value until all problems are known. */
  readonly fallback: T
  readonly secret?: boolean | undefined
}

function readVariable<T>(env: Env, problems: string[], name: string, variable: Variable<T>): T {
  const found = lookUp(env, name)
  if (found === undefined) {
    if (variable.default !== undefined) return variable.default
    problems.push(`${variableName(name)} is not set: expected ${variable.expected}`)
    return variable.fallback
  }
  try {
    return variable.parse(found.value)
  } catch {
    const isSecret = variable.secret === true || SECRET_NAME.test(found.name)
    const value = isSecret ? ' (value hidden)' : `=${shownValue(found.value)}`
    problems.push(`${found.name}${value}: expected ${variable.expected}`)
    return variable.fallback
  }
}

/** Reads from `env`, and adds to `problems`. */
export function createReader(env: Env, problems: string[]): EnvReader {
  const read = <T>(name: string, variable: Variable<T>) => readVariable(env, problems, name, variable)
  return {
    string: (name, options = {}) =>
      read(name, {
        expected: 'a text',
        parse: (text) => text,
        default: options.default,
        fallback: '',
        secret: options.secret,
      }),
    optionalString: (name) => lookUp(env, name)?.value,
    integer: (name, options) =>
      read(name, {
        expected: `a whole number${range(options)}`,
        parse: (text) => within(/^[+-]?\d{1,15}$/.test(text) ? Number(text) : Number.NaN, options),
        default: options.default,
        fallback: options.default,
      }),
    number: (name, options) =>
      read(name, {
        expected: `a number${range(options)}`,
        parse: (text) => within(/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : Number.NaN, options),
        default: options.default,
        fallback: options.default,
      }),
    boolean: (name, options) =>
      read(name, {
        expected: 'true or false',
        parse: (text) => oneOf(text.toLowerCase(), ['true', 'false']) === 'true',
        default: options.default,
        fallback: options.default,
      }),
    oneOf: (name, values, options) =>
      read(name, {
        expected: `one of ${values.join(', ')}`,
        parse: (text) => oneOf(text, values),
        default: options.default,
        fallback: options.default,
      }),
    url: (name, options = {}) => {
      const protocols = options.protocols ?? ['http', 'https']
      return read(name, {
        expected: `an absolute URL (${protocols.map((protocol) => `${protocol}://…`).join(' or ')})`,
        parse: (text) => absoluteUrl(text, protocols),
        default: options.default,
        fallback: 'http://unset.invalid',
        secret: options.secret,
      })
    },
    list: (name) =>
      (lookUp(env, name)?.value ?? '')
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    custom: <T>(
      name: string,
      options: { expected: string; parse: (text: string) => T; default?: string; secret?: boolean },
    ) =>
      read<T>(name, {
        ...options,
        default: options.default === undefined ? undefined : options.parse(options.default),
        // There is no value of T here, and none is needed: parseEnv throws before it is used.
        fallback: undefined as never,
      }),
    problem: (name, message) => {
      problems.push(`${variableName(name)}: ${message}`)
    },
  }
}

function lookUp(env: Env, property: string): { name: string; value: string } | undefined {
  const underscored = property.replaceAll(/[^A-Za-z0-9]/g, '_')
  for (const name of [property, underscored, underscored.toUpperCase()]) {
    const value = env[name]
    if (value !== undefined && value.trim() !== '') return { name, value: value.trim() }
  }
  return undefined
}

function variableName(property: string): string {
  return property.replaceAll(/[^A-Za-z0-9]/g, '_').toUpperCase()
}

function within(value: number, { min, max }: { min?: number; max?: number }): number {
  if (Number.isNaN(value) || (min !== undefined && value < min) || (max !== undefined && value > max)) {
    throw new RangeError('out of range')
  }
  return value
}

function range({ min, max }: { min?: number; max?: number }): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`
  if (min !== undefined) return ` of at least ${min}`
  return max === undefined ? '' : ` of at most ${max}`
}

function oneOf<T extends string>(text: string, values: readonly T[]): T {
  const value = values.find((candidate) => candidate === text)
  if (value === undefined) throw new RangeError('not one of the values')
  return value
}

function absoluteUrl(text: string, protocols: readonly string[]): string {
  const url = new URL(text)
  if (!protocols.includes(url.protocol.slice(0, -1))) throw new RangeError('protocol not allowed')
  return text.replace(/\/+$/, '')
}
