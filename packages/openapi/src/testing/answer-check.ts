import { AnswerMismatch, type BodyCheck, parseBody } from './body-check.ts'
import { type ApiDocument, type ApiOperation, pointerToken, templateOf } from './document.ts'

interface Asked {
  readonly method: string
  readonly path: string
  /** The media type of the body. */
  readonly type?: string | undefined
  readonly body?: string | undefined
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

/**
 * Gives a function that checks an answer and returns its name in the description, such as `GET /movie 200`; undefined for a refusal that
 * needs no description. It throws AnswerMismatch.
 */
export function createAnswerCheck(api: ApiDocument, checkBody: BodyCheck) {
  return (asked: Asked, answer: Answer): string | undefined => {
    const { method, path } = asked
    const name = `${method} ${path} ${answer.status}`
    const template = templateOf(api.paths, path)
    const item = api.paths[template ?? ''] ?? {}
    // HEAD answers like GET, without the body.
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase()
    const operation = item[verb]
    if (template === undefined || operation === undefined) {
      checkRefusal(name, answer, template === undefined ? 404 : 405)
      if (template !== undefined) checkAllow(name, answer, Object.keys(item))
      return undefined
    }
    checkHeaders(name, answer, operation)
    const pointer = `/paths/${pointerToken(template)}/${verb}`
    checkContent(name, { ...answer, isHead: method === 'HEAD' }, operation, `${pointer}/responses/${answer.status}`)
    if (answer.status < 300) checkTaken(name, asked, operation, pointer)
    return `${verb.toUpperCase()} ${template} ${answer.status}`
  }

  function checkContent(name: string, answer: Answer & { isHead: boolean }, operation: ApiOperation, pointer: string) {
    const content = operation.responses[answer.status]?.content ?? {}
    const type = mediaType(answer.headers)
    if (Object.keys(content).length === 0) {
      if (answer.body !== '' || type !== undefined) throw new AnswerMismatch(name, 'a body is not described')
      return
    }
    if (type === undefined || !Object.hasOwn(content, type)) {
      throw new AnswerMismatch(name, `the content type ${type} is not described`)
    }
    if (answer.isHead || type === 'text/event-stream' || content[type]?.schema === undefined) return
    checkBody(name, `${pointer}/content/${pointerToken(type)}/schema`, parseBody(name, type, answer.body))
  }

  /** What a service takes must be described; what it refuses may be anything. */
  function checkTaken(name: string, { type, body }: Asked, { requestBody }: ApiOperation, pointer: string): void {
    if (body === undefined) {
      if (requestBody?.required) throw new AnswerMismatch(name, 'the body that is required was not sent')
      return
    }
    if (type === undefined || !Object.hasOwn(requestBody?.content ?? {}, type)) {
      throw new AnswerMismatch(name, `a body of the content type ${type} is not described`)
    }
    checkBody(name, `${pointer}/requestBody/content/${pointerToken(type)}/schema`, parseBody(name, type, body))
  }

  function checkRefusal(name: string, { status, headers, body }: Answer, expected: 404 | 405): void {
    if (status !== expected) throw new AnswerMismatch(name, `it is not described, so ${expected} was expected`)
    const type = mediaType(headers)
    if (type !== 'application/problem+json') throw new AnswerMismatch(name, `${type} is no problem`)
    if (body !== '') checkBody(name, '/components/schemas/Problem', parseBody(name, type, body))
  }
}

/** The media type without its parameters. */
export function mediaType(headers: Headers): string | undefined {
  return headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
}

function checkHeaders(name: string, { status, headers }: Answer, { responses }: ApiOperation): void {
  const response = responses[status]
  if (response === undefined) throw new AnswerMismatch(name, 'the status is not described')
  for (const [header, { required }] of Object.entries(response.headers ?? {})) {
    if (required && !headers.has(header)) throw new AnswerMismatch(name, `the header ${header} is missing`)
  }
}

function checkAllow(name: string, { headers }: Answer, verbs: readonly string[]): void {
  const described = verbs.flatMap((verb) => (verb === 'get' ? ['GET', 'HEAD'] : [verb.toUpperCase()]))
  const allow = headers.get('allow') ?? ''
  const allowed = allow.split(/\s*,\s*/).filter(Boolean)
  if (allowed.toSorted().join() !== described.toSorted().join()) {
    throw new AnswerMismatch(name, `Allow is "${allow}", described are ${described.join(', ')}`)
  }
}
