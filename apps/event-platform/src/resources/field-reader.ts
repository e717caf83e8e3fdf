import { isJsonObject, type JsonObject } from '@taproom/core/limits'
import { safeJson } from '@taproom/core/lines'
import { PlatformError } from '../errors.ts'

export interface FieldProblem {
  /** For example `spec.delivery.retry`. */
  readonly field: string
  readonly rule: string
}

/** Broken rules reported at once. */
const MOST_PROBLEMS = 50
const MOST_QUOTED = 100

/** An object breaks rules of its kind; `problems` lists the first 50. */
export class InvalidObjectError extends PlatformError {
  readonly code = 'RESOURCE_INVALID'
  readonly problems: readonly FieldProblem[]

  constructor(subject: string, problems: readonly FieldProblem[]) {
    super(`${subject} is invalid: ${problems.map(({ field, rule }) => `${field}: ${rule}`).join('; ')}`)
    this.problems = problems
  }
}

/**
 * Reads an untyped object field by field and collects every broken rule. An absent field reads as `undefined`; `required` makes that a
 * problem.
 */
export class FieldReader {
  readonly path: string
  readonly value: unknown
  readonly #problems: FieldProblem[]

  constructor(value: unknown, problems: FieldProblem[], path = '') {
    this.value = value
    this.path = path
    this.#problems = problems
  }

  get isPresent(): boolean {
    return this.value !== undefined && this.value !== null
  }

  problem(rule: string): undefined {
    return this.#add({ field: this.path === '' ? '(root)' : this.path, rule })
  }

  /** A problem at a path below this field. */
  problemAt(path: string, rule: string): undefined {
    return this.#add({ field: [this.path, path].filter(Boolean).join('.'), rule })
  }

  #add(problem: FieldProblem): undefined {
    if (this.#problems.length < MOST_PROBLEMS) this.#problems.push(problem)
  }

  /** Stops reading, as further rules make no sense. */
  stop(): never {
    throw new InvalidObjectError('', this.#problems)
  }

  /** The same path and problems with another value, such as one with defaults. */
  with(value: unknown): FieldReader {
    return new FieldReader(value, this.#problems, this.path)
  }

  required(): this {
    if (!this.isPresent) this.problem('is required')
    return this
  }

  /** A field of this object; absent when this is not an object. */
  child(key: string): FieldReader {
    const name = shortened(key)
    const path = /^[A-Za-z0-9_-]+$/.test(name) ? [this.path, name].filter(Boolean).join('.') : `${this.path}[${name}]`
    const value = isJsonObject(this.value) && Object.hasOwn(this.value, key) ? this.value[key] : undefined
    return new FieldReader(value, this.#problems, path)
  }

  /** Reports fields other than these, so that typing errors are found. */
  fields(...known: readonly string[]): this {
    for (const key of Object.keys(this.object() ?? {})) {
      if (!known.includes(key)) this.child(key).problem('unknown field')
    }
    return this
  }

  object(): JsonObject | undefined {
    if (!this.isPresent) return undefined
    return isJsonObject(this.value) ? this.value : this.problem(`must be an object, got ${describe(this.value)}`)
  }

  items(): readonly FieldReader[] {
    if (!this.isPresent) return []
    if (!Array.isArray(this.value)) {
      this.problem(`must be a list, got ${describe(this.value)}`)
      return []
    }
    return this.value.map((item: unknown, index) => new FieldReader(item, this.#problems, `${this.path}[${index}]`))
  }

  string(): string | undefined {
    if (!this.isPresent) return undefined
    if (typeof this.value !== 'string') return this.problem(`must be a string, got ${describe(this.value)}`)
    return this.value === '' ? this.problem('must not be empty') : this.value
  }

  /** `expectation` completes "must be". */
  matching(pattern: RegExp, expectation: string): string | undefined {
    const text = this.string()
    if (text === undefined || pattern.test(text)) return text
    return this.problem(`must be ${expectation}, got ${quoted(text)}`)
  }

  oneOf<const T extends string>(values: readonly T[]): T | undefined {
    if (!this.isPresent) return undefined
    const found = values.find((value) => value === this.value)
    return found ?? this.problem(`must be one of ${values.join(', ')}, got ${describe(this.value)}`)
  }

  integer({ min, max = Number.MAX_SAFE_INTEGER }: { readonly min: number; readonly max?: number }): number | undefined {
    if (!this.isPresent) return undefined
    const { value } = this
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value
    const range = max < Number.MAX_SAFE_INTEGER ? `from ${min} to ${max}` : `of at least ${min}`
    return this.problem(`must be a whole number ${range}, got ${describe(value)}`)
  }

  boolean(): boolean | undefined {
    if (!this.isPresent) return undefined
    return typeof this.value === 'boolean'
      ? this.value
      : this.problem(`must be true or false, got ${describe(this.value)}`)
  }

  stringMap(): Readonly<Record<string, string>> | undefined {
    const object = this.object()
    if (object === undefined) return undefined
    const entries = Object.entries(object).flatMap(([key, value]): [string, string][] => {
      if (typeof value === 'string') return [[key, value]]
      this.child(key).problem(`must be a string, got ${describe(value)}`)
      return []
    })
    return Object.fromEntries(entries)
  }
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return value === null ? 'null' : 'an object'
  return typeof value === 'string' ? quoted(value) : String(value)
}

/** Text from outside, for a message: quoted, escaped, shortened. */
export function quoted(text: string): string {
  return safeJson(JSON.stringify(shortened(text)))
}

/** Shortens text from outside. */
export function shortened(text: string): string {
  return text.length > MOST_QUOTED ? `${text.slice(0, MOST_QUOTED)}…` : text
}

/** @throws {InvalidObjectError} listing every broken rule; `subject` names the object */
export function readFields<T>(subject: string, value: unknown, read: (root: FieldReader) => T): T {
  const problems: FieldProblem[] = []
  let result: T
  try {
    result = read(new FieldReader(value, problems))
  } catch (error) {
    if (error instanceof InvalidObjectError) throw new InvalidObjectError(subject, problems)
    throw error
  }
  if (problems.length > 0) throw new InvalidObjectError(subject, problems)
  return result
}
