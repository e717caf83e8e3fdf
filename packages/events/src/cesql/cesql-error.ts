/** Kinds of the CESQL specification (1.0, section 3.3). */
export type CesqlErrorKind = 'parse' | 'math' | 'cast' | 'missingAttribute' | 'missingFunction' | 'functionEvaluation'

/** An expression cannot be parsed, or not be evaluated for an event. Not exported by the package. */
export class CesqlError extends Error {
  override name = 'CesqlError'
  readonly kind: CesqlErrorKind

  constructor(kind: CesqlErrorKind, message: string) {
    super(message)
    this.kind = kind
  }
}
