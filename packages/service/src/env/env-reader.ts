import { shownValue } from './config-error.ts'

/** The environment as a service sees it; only `main.ts` passes `process.env`. */
export type Env = Readonly<Record<string, string | undefined>>

/** An environment that takes what is read of it. */
type NotedEnv = Env & { readonly [NOTE]?: (read: NotedRead) => void }

export const NOTE = Symbol('note of reads')

export interface NotedRead {
  readonly name: string
  readonly found: { readonly name: string; readonly value: string } | undefined
  readonly default?: unknown
  readonly expected?: string
  readonly isSecret: boolean
}

/** Names of variables whose values are hidden even without `secret`. */
const SECRET_NAME = /PASSWORD|PASSWD|PASSPHRASE|SECRET|CREDENTIAL|PRIVATE_?KEY|(^|[._])(API_?KEY|TOKEN)$/i

export function hasSecretName(name: string): boolean {
  return SECRET_NAME.test(name)
}

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
export type EnvReader = ReturnType<typeof createReader>

interface Variable<T> {
  readonly expected: string
  readonly parse: (text: string) => T
  readonly default?: T | undefined
  /** Without a default: stands in for a missing or invalid value until all problems are known. */
  readonly fallback?: T
  readonly secret?: boolean | undefined
  /** The default as a text, where it is none. */
  readonly defaultText?: string | undefined
}

type CustomVariable<T> = Pick<Variable<T>, 'expected' | 'parse'> & Secrecy & { readonly default?: string }

function readVariable<T>(env: NotedEnv, problems: string[], name: string, variable: Variable<T>): T {
  // `custom` has no value of T to stand in, and needs none: parseEnv throws before it is used.
  const standIn = (variable.default ?? variable.fallback) as T
  const found = lookUp(env, name)
  const isSecret = variable.secret === true || hasSecretName(found?.name ?? name)
  const { expected, defaultText = variable.default } = variable
  env[NOTE]?.({ name: variableName(name), found, default: defaultText, expected, isSecret })
  if (found === undefined) {
    if (variable.default !== undefined) return variable.default
    problems.push(`${variableName(name)} is not set: expected ${variable.expected}`)
    return standIn
  }
  try {
    return variable.parse(found.value)
  } catch {
    const value = isSecret ? ' (value hidden)' : `=${shownValue(found.value)}`
    problems.push(`${found.name}${value}: expected ${variable.expected}`)
    return standIn
  }
}

export function createReader(env: NotedEnv, problems: string[]) {
  const known = new Set<string>()
  const read = <T>(name: string, variable: Variable<T>) => {
    known.add(variableName(name))
    return readVariable(env, problems, name, variable)
  }
  return {
    /** Required when it has no default. */
    string: (name: string, options: { readonly default?: string } & Secrecy = {}) =>
      read(name, { ...options, expected: 'a text', parse: (text) => text, fallback: '' }),
    optionalString(name: string) {
      known.add(variableName(name))
      const found = lookUp(env, name)
      env[NOTE]?.({ name: variableName(name), found, isSecret: hasSecretName(name) })
      return found?.value
    },
    /** A whole number within `min` and `max`, both included. */
    integer: (name: string, options: NumberOptions) =>
      read(name, {
        ...options,
        expected: `a whole number${range(options)}`,
        parse: (text) => within(/^[+-]?\d{1,15}$/.test(text) ? Number(text) : Number.NaN, options),
      }),
    /** A decimal number within `min` and `max`, both included. */
    number: (name: string, options: NumberOptions) =>
      read(name, {
        ...options,
        expected: `a number${range(options)}`,
        parse: (text) => within(/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : Number.NaN, options),
      }),
    /** `true` or `false`, in any case. */
    boolean: (name: string, options: { readonly default: boolean }) =>
      read(name, {
        ...options,
        expected: 'true or false',
        parse: (text) => oneOf(text.toLowerCase(), ['true', 'false']) === 'true',
      }),
    oneOf: <const T extends string>(name: string, values: readonly T[], options: { readonly default: NoInfer<T> }): T =>
      read<T>(name, { ...options, expected: `one of ${values.join(', ')}`, parse: (text) => oneOf(text, values) }),
    /** An absolute URL, without a trailing slash; required when it has no default. Protocols default to http and https. */
    url(name: string, options: { readonly default?: string; readonly protocols?: readonly string[] } & Secrecy = {}) {
      const protocols = options.protocols ?? ['http', 'https']
      return read(name, {
        ...options,
        expected: `an absolute URL (${protocols.map((protocol) => `${protocol}://…`).join(' or ')})`,
        parse: (text) => absoluteUrl(text, protocols),
        fallback: 'http://unset.invalid',
      })
    },
    /** Comma separated texts, trimmed, empty ones dropped; `[]` when unset. Set to nothing but commas is a problem. */
    list: (name: string): readonly string[] =>
      read(name, { expected: 'a comma separated list of at least one text', parse: items, default: [] }),
    /** What `parse` returns for the text; if it throws, that becomes a problem that says what was `expected`. */
    custom: <T>(name: string, { default: text, ...options }: CustomVariable<T>): T =>
      read(name, { ...options, default: text === undefined ? undefined : options.parse(text), defaultText: text }),
    /** Adds a problem, such as variables that contradict each other. */
    problem(name: string, message: string) {
      problems.push(`${variableName(name)}: ${message}`)
    },
    /** Adds a problem for each variable below `prefix` that was not read until now: a misspelt one would have no effect. */
    refuseOthers(prefix: string) {
      const isBelow = (name: string) => name.startsWith(variableName(prefix))
      const expected = `expected one of ${[...known].filter(isBelow).join(', ')}`
      for (const [name, value = ''] of Object.entries(env)) {
        const isSet = value.trim() !== ''
        if (isSet && isBelow(variableName(name)) && !known.has(variableName(name))) {
          problems.push(`${name}: is read by nothing here: ${expected}`)
        }
      }
    },
  }
}

function items(text: string): readonly string[] {
  const found = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
  if (found.length === 0) throw new RangeError('an empty list')
  return found
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
