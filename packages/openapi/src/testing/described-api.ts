import { Validator } from '@seriousme/openapi-schema-validator'
import { createAnswerCheck, mediaType } from './answer-check.ts'
import { createBodyCheck } from './body-check.ts'
import { type ApiDocument, pointerToken } from './document.ts'
import { fetchAlone } from './fetch-alone.ts'
import { readText } from './read-text.ts'

/** An interface whose answers are compared with its description. */
export interface DescribedApi {
  /**
   * Like the global `fetch`, for any base URL, over a connection of its own. The answer's status, content type, required headers and body
   * must be described. A method that is not described must be 405 with an `Allow` of those that are, a path that is not described 404, both
   * as problems. The body of an event stream is not checked. A request that is answered by a 2xx must have the body that is described, if
   * it is given as text.
   *
   * @throws {AnswerMismatch} when the answer is none of these, or when the body that was taken is not described
   */
  fetch(url: string, init?: RequestInit): Promise<Response>
  /** @throws {AnswerMismatch} when the value is not valid by the named schema, saying where */
  expectValid(schema: string, value: unknown): void
  /** Described answers that no `fetch` has got, such as `GET /movie 503`. */
  unseen(): readonly string[]
}

/** @throws {Error} when the document is no valid OpenAPI 3.1, or names one operation twice */
export async function readDescription(document: object): Promise<DescribedApi> {
  await expectOpenApi(document)
  const api = document as ApiDocument
  const checkBody = createBodyCheck(document)
  const checkAnswer = createAnswerCheck(api, checkBody)
  const seen = new Set<string>()

  return {
    async fetch(url, init = {}) {
      const response = await fetchAlone(url, init)
      const isStream = mediaType(response.headers) === 'text/event-stream'
      const body = isStream ? '' : await readText(response)
      const { status, headers } = response
      const asked = {
        method: (init.method ?? 'GET').toUpperCase(),
        path: new URL(url).pathname,
        type: mediaType(new Headers(init.headers)),
        body: typeof init.body === 'string' ? init.body : undefined,
      }
      const described = checkAnswer(asked, { status, headers, body })
      if (described !== undefined) seen.add(described)
      return isStream ? response : new Response(body === '' ? null : body, { status, headers })
    },
    expectValid: (schema, value) => checkBody(schema, `/components/schemas/${pointerToken(schema)}`, value),
    unseen: () => describedAnswers(api).filter((answer) => !seen.has(answer)),
  }
}

/** One for all documents: it compiles the schemas of OpenAPI once. */
const validator = new Validator()

async function expectOpenApi(document: object): Promise<void> {
  const { valid, errors } = await validator.validate(structuredClone(document) as Record<string, unknown>)
  if (!valid) throw new Error(`no valid OpenAPI: ${JSON.stringify(errors)}`)
  const [version] = /^\d+\.\d+/.exec(String((document as Partial<ApiDocument>).openapi)) ?? []
  if (version !== '3.1') throw new Error(`OpenAPI ${version} instead of 3.1`)
  if ((document as Partial<ApiDocument>).paths === undefined) throw new Error('no paths are described')
  const ids = Object.values((document as ApiDocument).paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId = [] }) => operationId),
  )
  const twice = ids.filter((id, index) => ids.indexOf(id) < index)
  if (twice.length > 0) throw new Error(`operations of one name: ${twice.join(', ')}`)
}

function describedAnswers({ paths }: ApiDocument): string[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { responses }]) =>
      Object.keys(responses).map((status) => `${method.toUpperCase()} ${path} ${status}`),
    ),
  )
}
