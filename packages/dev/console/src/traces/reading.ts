import type { KnownTexts } from './known-texts.ts'
import { OtlpError } from './otlp-error.ts'

/** Spans, events, links, attributes and values of lists in one request: what is built of them takes far more memory than its bytes. */
const MAX_VALUES = 400_000
/** Levels of lists and maps inside each other in an attribute. */
const MAX_DEPTH = 16

/** The reading of one request: what is built of it is counted. */
export class Reading {
  /** Of all requests. */
  readonly texts: KnownTexts
  #count = 0

  constructor(texts: KnownTexts) {
    this.texts = texts
  }

  /** @throws {OtlpError} when there are too many, or they are nested too deep */
  add(depth = 0): void {
    this.#count += 1
    if (this.#count > MAX_VALUES) {
      throw new OtlpError('OTLP_TOO_LARGE', `more than ${MAX_VALUES} spans, attributes and values in one request`)
    }
    if (depth > MAX_DEPTH) {
      throw new OtlpError('OTLP_INVALID', `an attribute has more than ${MAX_DEPTH} levels of lists and maps`)
    }
  }
}
