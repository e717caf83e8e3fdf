import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { parse } from 'yaml'

/** A service gave an answer that its OpenAPI description does not have. */
export class AnswerMismatch extends Error {
  override readonly name = 'AnswerMismatch'
  readonly code = 'OPENAPI_ANSWER_MISMATCH'

  constructor(operation: string, problem: string) {
    super(`${operation}: ${problem}`)
  }
}

/** Throws AnswerMismatch, naming the operation, when a value does not fit the schema at a JSON pointer of the document. */
export type BodyCheck = (operation: string, pointer: string, value: unknown) => void

/** Schemas are compiled when they are first needed. */
export function createBodyCheck(document: object): BodyCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(document, 'api', undefined, false)
  const compiled = new Map<string, ValidateFunction>()
  return (operation, pointer, value) => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `api#${pointer}` })
    compiled.set(pointer, validate)
    if (!validate(value)) {
      throw new AnswerMismatch(operation, `the body does not fit: ${ajv.errorsText(validate.errors)}`)
    }
  }
}

/** The body in the form of its schema: parsed JSON or YAML, a list of parsed lines, or text. @throws {AnswerMismatch} when it is not that */
export function parseBody(operation: string, type: string, body: string): unknown {
  try {
    if (type === 'application/x-ndjson') {
      return body
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    }
    if (type === 'application/yaml') return parse(body)
    return /[/+]json$/.test(type) ? JSON.parse(body) : body
  } catch {
    throw new AnswerMismatch(operation, `the body is not ${type}`)
  }
}
