import type { KnownTexts } from './known-texts.ts'
import { OtlpError } from './otlp-error.ts'

/** Spans, events, links, attributes and values of lists in one request: what is built of them takes far more memory than its bytes. */
const MAX_VALUES = 400_000
/** OpenTelemetry's `OTEL_ATTRIBUTE_COUNT_LIMIT` where nothing is set; events and links of a span have the same limit. */
const MAX_OF_A_KIND = 128
/** Limit for one span with its events and links, or for one resource. They are read in one turn of the event loop. */
const MAX_VALUES_OF_ONE = 4000
/** After so many values the reader yields to other work. */
const VALUES_OF_A_TURN = 2000
/** Levels of lists and maps inside each other in an attribute. */
const MAX_DEPTH = 16

/** The reading of one request: what is built of it is counted. */
export class Reading {
  /** Bytes of all requests together. */
  readonly texts: KnownTexts
  #count = 0
  #countBefore = 0
  #room = MAX_VALUES_OF_ONE
  #cut = 0

  constructor(texts: KnownTexts) {
    this.texts = texts
  }

  /** The number of values left out because the span or resource had no room. */
  get cut(): number {
    return this.#cut
  }

  /** @throws {OtlpError} when the request has too many, skipped ones included */
  passes(): void {
    this.#count += 1
    if (this.#count > MAX_VALUES) {
      throw new OtlpError('OTLP_TOO_LARGE', `more than ${MAX_VALUES} spans, attributes and values in one request`)
    }
  }

  /** Begins another span or resource. */
  begin(): void {
    this.#room = MAX_VALUES_OF_ONE
    this.passes()
  }

  /**
   * Counts one more attribute, event or link of the span or resource, of which `others` were taken before. False: there is no room, and the
   * caller skips it.
   *
   * @throws {OtlpError} when the request has too many, or they are nested too deep
   */
  takesOne(others: number): boolean {
    if (others < MAX_OF_A_KIND) return this.takes()
    this.passes()
    return false
  }

  /** As {@link takesOne}, for the values inside an attribute. */
  takes(depth = 0): boolean {
    this.passes()
    if (depth > MAX_DEPTH) {
      throw new OtlpError('OTLP_INVALID', `an attribute has more than ${MAX_DEPTH} levels of lists and maps`)
    }
    if (this.#room === 0) {
      this.#cut += 1
      return false
    }
    this.#room -= 1
    return true
  }

  /** True when enough was read since the last time: the caller then yields to other work. */
  isTurnOver(): boolean {
    if (this.#count - this.#countBefore < VALUES_OF_A_TURN) return false
    this.#countBefore = this.#count
    return true
  }
}
