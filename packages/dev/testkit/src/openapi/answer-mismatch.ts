/** A service gave an answer that its OpenAPI description does not have. */
export class AnswerMismatch extends Error {
  override readonly name = 'AnswerMismatch'
  readonly code = 'OPENAPI_ANSWER_MISMATCH'

  constructor(operation: string, problem: string) {
    super(`${operation}: ${problem}`)
  }
}
