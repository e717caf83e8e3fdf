/** What the CESQL specification calls its errors (1.0, section 3.3). */
export type CesqlErrorKind = 'parse' | 'math' | 'cast' | 'missingAttribute' | 'missingFunction' | 'functionEvaluation'

/** An expression that cannot be parsed, or not be evaluated for an event; inside this package only. */
export class CesqlError extends Error {
  override name = 'CesqlError'
  readonly kind: CesqlErrorKind

  constructor(kind: CesqlErrorKind, message: string) {
    super(message)
    this.kind = kind
  }
}
