import type { Context } from '@opentelemetry/api'

/** A context with one more value, found before those of the context it is made of; OpenTelemetry's own copies all values each time. */
export class LinkedContext implements Context {
  readonly #from: Context
  readonly #key: symbol
  readonly #value: unknown

  constructor(from: Context, key: symbol, value: unknown) {
    this.#from = from
    this.#key = key
    this.#value = value
  }

  getValue(key: symbol): unknown {
    return key === this.#key ? this.#value : this.#from.getValue(key)
  }

  setValue(key: symbol, value: unknown): Context {
    return new LinkedContext(this.#key === key ? this.#from : this, key, value)
  }

  deleteValue(key: symbol): Context {
    return this.getValue(key) === undefined ? this : new LinkedContext(this, key, undefined)
  }
}
