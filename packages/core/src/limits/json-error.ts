export type JsonErrorCode = 'JSON_INVALID' | 'JSON_TOO_DEEP' | 'JSON_TOO_MANY_VALUES'

/** A text that is not JSON, or breaks a limit; the message names the rule and can be shown to the sender. */
export class JsonError extends Error {
  override readonly name = 'JsonError'
  readonly code: JsonErrorCode

  constructor(code: JsonErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export function tooDeep(maxDepth: number): JsonError {
  return new JsonError('JSON_TOO_DEEP', `JSON must not be nested deeper than ${maxDepth} levels`)
}
