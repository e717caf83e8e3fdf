import { visible } from '@taproom/lines'

/** The environment as a service sees it; only `main.ts` passes `process.env`. */
export type Env = Readonly<Record<string, string | undefined>>

/**
 * Start-up ends with this when variables are missing or invalid. `problems` has one sentence per variable, each naming
 * the variable, its value (never a secret's, nor the user and password in a URL) and what was expected. Control characters and the like
 * are shown as escapes, values of more than 200 characters are cut.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly code = 'ERR_CONFIG'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    const shown = problems.map((problem) => visible(withoutCredentials(problem), MAX_PROBLEM))
    super(`invalid configuration: ${shown.join('; ')}`)
    this.problems = shown
  }
}

/** Characters of a value, and of a whole problem, that are shown. */
const MAX_VALUE = 200
const MAX_PROBLEM = 2000

/** Variables whose values are hidden even where nobody said that they are secret. */
const SECRET_NAME = /PASSWORD|PASSWD|SECRET|CREDENTIAL|PRIVATE_?KEY|(^|[._])(API_?KEY|TOKEN)$/i

interface Secrecy {
  /** Leaves the value out of the problem's text. Default false. */
  readonly secret?: boolean
}

interface NumberOptions {
  readonly default: number
  readonly min?: number
  readonly max?: number
}

/** Reads variables one by one and collects every problem, so that a person mends them all in one go. */
export interface EnvReader {
  /** A text; required when it has no default. */
  string(name: string, options?: { readonly default?: string } & Secrecy): string
  /** A text that may be absent. */
  optionalString(name: string): string | undefined
  /** A whole number within `min` and `max`, both included. */
  integer(name: string, options: NumberOptions): number
  /** A decimal number within `min` and `max`, both included. */
  number(name: string, options: NumberOptions): number
  /** `true` or `false`, in any case. */
  boolean(name: string, options: { readonly default: boolean }): boolean
  /** One of the given words. */
  oneOf<const T extends string>(name: string, values: readonly T[], options: { readonly default: NoInfer<T> }): T
  /** An absolute URL, without a trailing slash; required when it has no default. Protocols default to http and https. */
  url(name: string, options?: { readonly default?: string; readonly protocols?: readonly string[] } & Secrecy): string
  /** Comma separated texts, trimmed, empty ones dropped; `[]` when unset. */
  list(name: string): readonly string[]
  /** Whatever `parse` makes of the text; an error it throws becomes a problem that says what was `expected`. */
  custom<T>(
    name: string,
    options: {
      readonly expected: string
      readonly parse: (text: string) => T
      readonly default?: string
    } & Secrecy,
  ): T
  /** Adds a problem that concerns how variables go together. */
  problem(name: string, message: string): void
}

/**
 * Builds a configuration from variables and returns it deeply frozen. An unset or empty variable takes its default; a
 * present but invalid one never does.
 * A name may be a MicroProfile property: `mp.jwt.verify.issuer` is found as itself, as `mp_jwt_verify_issuer` and as
 * `MP_JWT_VERIFY_ISSUER`, in this order (MicroProfile Config 3, environment variables mapping rules).
 *
 * @throws {ConfigError} naming every missing or invalid variable at once
 */
export function parseEnv<T>(env: Env, build: (read: EnvReader) => T): T {
  const problems: string[] = []
  let config: T
  try {
    config = build(createReader(env, problems))
  } catch (error) {
    if (problems.length > 0) throw new ConfigError(problems)
    throw error
  }
  // A variable that is read twice has one problem.
  if (problems.length > 0) throw new ConfigError([...new Set(problems)])
  return deepFreeze(config)
}

function createReader(env: Env, problems: string[]): EnvReader {
  /** Every typed reader goes through here; `fallback` only keeps `build` going until all problems are known. */
  function read<T>(
    name: string,
    options: {
      expected: string
      parse: (text: string) => T
      default?: T | undefined
      fallback: T
      secret?: boolean | undefined
    },
  ): T {
    const found = lookUp(env, name)
    if (found === undefined) {
      if (options.default !== undefined) return options.default
      problems.push(`${variableName(name)} is not set: expected ${options.expected}`)
      return options.fallback
    }
    try {
      return options.parse(found.value)
    } catch {
      const isSecret = options.secret === true || SECRET_NAME.test(found.name)
      const value = isSecret ? ' (value hidden)' : `=${shownValue(found.value)}`
      problems.push(`${found.name}${value}: expected ${options.expected}`)
      return options.fallback
    }
  }

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
        // No value of T is known here; none is needed, because parseEnv throws before anybody sees it.
        fallback: undefined as never,
      }),
    problem: (name, message) => {
      problems.push(`${variableName(name)}: ${message}`)
    },
  }
}

/** In quotes, with the escapes of JSON, and without user and password where it is a URL. */
function shownValue(value: string): string {
  const shown = withoutCredentials(value)
  const rest = shown.length - MAX_VALUE
  return rest > 0 ? `${JSON.stringify(shown.slice(0, MAX_VALUE))}… (${rest} more characters)` : JSON.stringify(shown)
}

function withoutCredentials(text: string): string {
  return text.replaceAll(/\/\/[^\s/?#]*@/g, '//***@')
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

function deepFreeze<T>(value: T): T {
  if (Array.isArray(value) || isPlainObject(value)) {
    for (const member of Object.values(value as object)) deepFreeze(member)
    Object.freeze(value)
  }
  return value
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
