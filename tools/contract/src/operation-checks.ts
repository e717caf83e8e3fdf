import { MANAGEMENT_PATHS } from '@taproom/http'
import type { OpenApiDocument, Operation } from '@taproom/openapi'
import { type DescribedApi, readDescription } from '@taproom/openapi/testing'
import { ANSWER_LIMIT_MS, type Answer, ask, expectProblem, expectStatus, mediaTypeOf, objectOf } from './ask.ts'
import { type Check, expectThat, LeftOut } from './check.ts'
import { serverOf, type Target } from './target.ts'

/** Tried on each path: the first that is not described. */
const METHODS = ['patch', 'delete', 'put', 'post', 'get'] as const
/** In place of the parameters of a path. */
const FILLER = '0'

/** What the description at a base URL promises: every operation, and every path for methods that it has not. */
export async function operationChecks(target: Target): Promise<readonly Check[]> {
  const { url, system } = target
  const answer = await ask(`${url}${MANAGEMENT_PATHS.openApi}?format=json`)
  if (answer.status !== 200) return servedPathChecks(target)
  const document = objectOf(answer) as unknown as OpenApiDocument
  const api = await readDescription(document)
  return Object.entries(document.paths).flatMap(([template, item]) => {
    const path = template.replaceAll(/\{[^}]*\}/g, FILLER)
    const subject = serverOf(system, path) ?? 'gateway'
    const operations = Object.entries(item).flatMap(([method, operation]) =>
      ofOperation({ method: method.toUpperCase(), template, operation, document }, { path, subject, api, target }),
    )
    return [...operations, ...ofOtherMethod(item, { path, subject, api, target })]
  })
}

/** Where there is no description: what can be said of any path that an app serves. */
function servedPathChecks({ url, system }: Target): readonly Check[] {
  return Object.entries(system.apps).flatMap(([subject, { serves = [] }]) =>
    serves
      .filter((path) => !path.endsWith('/*'))
      .flatMap((path) => [
        {
          subject,
          name: `GET ${path} answers, with a challenge if that is 401`,
          async run() {
            const answer = await ask(url + path)
            expectThat(answer.status < 500 && answer.status !== 404, `it is ${answer.status}`)
            if (answer.status === 401) challengeOf(answer)
          },
        },
        {
          subject,
          name: `PROPFIND ${path} is 405 with Allow, a problem`,
          async run() {
            const answer = await ask(url + path, { method: 'PROPFIND' })
            expectProblem(answer, 405)
            expectThat(answer.headers.has('allow'), 'it has no Allow')
          },
        },
      ]),
  )
}

interface Described {
  readonly method: string
  readonly template: string
  readonly operation: Operation
  readonly document: OpenApiDocument
}

interface Asked {
  readonly path: string
  readonly subject: string
  readonly api: DescribedApi
  readonly target: Target
}

function ofOperation({ method, template, operation, document }: Described, asked: Asked): readonly Check[] {
  const { path, subject, target } = asked
  const name = `${method} ${path}`
  if (isProtected(operation, document)) return protectedChecks(name, { ...asked, method, operation })
  // Others may do something, or want what nobody here knows.
  const isAsked = method === 'GET' && path === template && !operation.parameters?.some(({ required }) => required)
  return isAsked
    ? [
        {
          subject,
          name: `${name} answers as it is described`,
          run: async () => void (await expectDescribed(asked, target.url + path)),
        },
      ]
    : []
}

/** Whether no caller may do without a bearer token. */
function isProtected({ security = [] }: Operation, { components }: Partial<OpenApiDocument>): boolean {
  const { securitySchemes = {} } = components ?? {}
  const isBearer = (scheme: string) => {
    const { type, scheme: kind } = securitySchemes[scheme] ?? {}
    return (type === 'http' && String(kind).toLowerCase() === 'bearer') || type === 'openIdConnect' || type === 'oauth2'
  }
  return security.length > 0 && security.every((schemes) => Object.keys(schemes).some(isBearer))
}

async function expectDescribed({ api }: Asked, url: string, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await api.fetch(url, { headers, signal: AbortSignal.timeout(ANSWER_LIMIT_MS) })
  const isStream = mediaTypeOf(response.headers) === 'text/event-stream'
  if (isStream) await response.body?.cancel()
  const answer = { status: response.status, headers: response.headers, text: isStream ? '' : await response.text() }
  expectThat(answer.status < 500, `it is ${answer.status}`)
  return answer
}

function protectedChecks(
  name: string,
  asked: Asked & { readonly method: string; readonly operation: Operation },
): readonly Check[] {
  const { path, subject, method, target } = asked
  const refused = async (headers: Record<string, string>) => {
    const answer = await ask(target.url + path, { method, headers })
    expectStatus(answer, 401)
    return challengeOf(answer)
  }
  return [
    {
      subject,
      name: `${name} without a token is 401, with a challenge that names no error`,
      async run() {
        const challenge = await refused({})
        expectThat(!challenge.includes('error='), `the challenge has an error: ${challenge}`)
      },
    },
    {
      subject,
      name: `${name} with a bad token is 401, error="invalid_token"`,
      async run() {
        const challenge = await refused({ Authorization: 'Bearer not.a.token' })
        expectThat(challenge.includes('error="invalid_token"'), `the challenge does not say so: ${challenge}`)
      },
    },
    ...(method === 'GET'
      ? [
          {
            subject,
            name: `${name} with a token without roles answers as it is described`,
            run: () => expectForRoles(asked),
          },
        ]
      : []),
  ]
}

/** The Bearer challenge of RFC 6750, section 3. */
function challengeOf({ headers }: Answer): string {
  const challenge = headers.get('www-authenticate') ?? ''
  expectThat(
    /^Bearer realm="[^"]+"/.test(challenge),
    `WWW-Authenticate is "${challenge}", not a Bearer challenge with a realm`,
  )
  return challenge
}

async function expectForRoles(asked: Asked): Promise<void> {
  const { path, target } = asked
  if (target.token === undefined) throw new LeftOut('no key of accepted tokens is known here')
  const answer = await expectDescribed(asked, target.url + path, { Authorization: `Bearer ${target.token.text}` })
  expectThat(
    answer.status !== 401,
    `its token, of the issuer ${target.token.issuer}, was refused: ${answer.headers.get('www-authenticate')}`,
  )
  if (answer.status !== 403) return
  const challenge = challengeOf(answer)
  expectThat(challenge.includes('error="insufficient_scope"'), `the challenge does not say so: ${challenge}`)
}

/** A method that is not described is 405, with those that are. */
function ofOtherMethod(
  item: OpenApiDocument['paths'][string],
  { path, subject, api, target }: Asked,
): readonly Check[] {
  const method = METHODS.find((candidate) => item[candidate] === undefined)?.toUpperCase()
  if (method === undefined) return []
  return [
    {
      subject,
      name: `${method} ${path} is 405 with Allow, a problem`,
      async run() {
        await api.fetch(target.url + path, { method, signal: AbortSignal.timeout(ANSWER_LIMIT_MS) })
      },
    },
  ]
}
