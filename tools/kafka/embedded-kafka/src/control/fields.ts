import { ControlError } from '../errors.ts'

const MAX_CHARACTERS = 1000

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 100)
}

/** Leaves out fields without a value. */
export function given<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> }
}

/** The fields of something that was given from outside, each read once. */
export class Fields {
  readonly #values: Readonly<Record<string, unknown>>
  readonly #read = new Set<string>()

  /** @throws {ControlError} when it is no object; `what` is what it should be */
  constructor(given: unknown, what: string) {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      throw new ControlError(what, `${what} must be an object; got ${shown(given)}`)
    }
    this.#values = given as Readonly<Record<string, unknown>>
  }

  #take(name: string): unknown {
    this.#read.add(name)
    return Object.hasOwn(this.#values, name) ? this.#values[name] : undefined
  }

  text(name: string): string | undefined {
    const value = this.#take(name)
    if (value === undefined || (typeof value === 'string' && value.length <= MAX_CHARACTERS)) return value
    throw new ControlError(name, `${name} must be a text of at most ${MAX_CHARACTERS} characters; got ${shown(value)}`)
  }

  requiredText(name: string): string {
    const value = this.text(name)
    if (value !== undefined && value !== '') return value
    throw new ControlError(name, `${name} must be a text; got ${shown(value)}`)
  }

  whole(name: string, min: number, max: number): number | undefined {
    const value = this.#take(name)
    if (value === undefined || (Number.isInteger(value) && Number(value) >= min && Number(value) <= max)) {
      return value as number | undefined
    }
    throw new ControlError(name, `${name} must be a whole number from ${min} to ${max}; got ${shown(value)}`)
  }

  requiredWhole(name: string, min: number, max: number): number {
    const value = this.whole(name, min, max)
    if (value !== undefined) return value
    throw new ControlError(name, `${name} must be a whole number from ${min} to ${max}; got nothing`)
  }

  /** Above 0, at most 1. */
  share(name: string): number | undefined {
    const value = this.#take(name)
    if (value === undefined || (typeof value === 'number' && value > 0 && value <= 1)) return value
    throw new ControlError(name, `${name} must be a number above 0, at most 1; got ${shown(value)}`)
  }

  flag(name: string): boolean | undefined {
    const value = this.#take(name)
    if (value === undefined || typeof value === 'boolean') return value
    throw new ControlError(name, `${name} must be true or false; got ${shown(value)}`)
  }

  oneOf<T extends string>(name: string, known: readonly T[]): T | undefined {
    const value = this.#take(name)
    if (value === undefined || known.includes(value as T)) return value as T | undefined
    throw new ControlError(name, `${name} must be one of ${known.join(', ')}; got ${shown(value)}`)
  }

  requiredOneOf<T extends string>(name: string, known: readonly T[]): T {
    const value = this.oneOf(name, known)
    if (value !== undefined) return value
    throw new ControlError(name, `${name} must be one of ${known.join(', ')}; got nothing`)
  }

  /** @throws {ControlError} when there are fields that nobody has read */
  end(): void {
    const [name] = Object.keys(this.#values).filter((each) => !this.#read.has(each))
    if (name === undefined) return
    throw new ControlError(name.slice(0, 100), `${name.slice(0, 100)} is not known here`)
  }
}
