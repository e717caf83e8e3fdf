import { describe, expect, it } from 'vitest'
import { createTokenSource } from './token-endpoint.ts'

const SECRET = 'distinctive:Pa55 phrase'
const endpoint = { url: 'https://issuer.example/token', clientId: 'tap room', clientSecret: SECRET, scope: 'kafka' }

type Answer = () => Response

/** An endpoint that gives these answers in turn, the last one for ever. */
function answering(...answers: readonly Answer[]) {
  const requests: Request[] = []
  const request: typeof fetch = async (url, options) => {
    requests.push(new Request(url, options))
    const answer = answers[Math.min(requests.length, answers.length) - 1]
    return (answer ?? tokenFor())()
  }
  return { requests, request }
}

const json =
  (body: object, status = 200) =>
  () =>
    Response.json(body, { status })
const tokenFor = (seconds?: number) => json({ access_token: 'abc.def-1', expires_in: seconds })

describe('decisions 3.28: tokens of a token endpoint', () => {
  it('are asked for with client credentials, as form fields with a basic authorization', async () => {
    const { requests, request } = answering(tokenFor(300))
    expect(await createTokenSource(endpoint, { request }).token()).toBe('abc.def-1')
    const [sent] = requests
    expect(sent?.method).toBe('POST')
    expect(sent?.redirect).toBe('error')
    expect(await sent?.text()).toBe('grant_type=client_credentials&scope=kafka')
    const [, credentials = ''] = (sent?.headers.get('authorization') ?? '').split(' ')
    expect(Buffer.from(credentials, 'base64').toString()).toBe('tap+room:distinctive%3APa55+phrase')
  })

  it('are kept until a fifth of their life is left, and at least 15 s', async () => {
    let nowMs = 0
    const asked = async (seconds: number | undefined, laterMs: number) => {
      const { requests, request } = answering(tokenFor(seconds))
      const source = createTokenSource(endpoint, { request, now: () => nowMs })
      nowMs = 0
      await source.token()
      nowMs = laterMs
      await source.token()
      return requests.length
    }
    expect(await asked(300, 239_999)).toBe(1)
    expect(await asked(300, 240_000)).toBe(2)
    expect(await asked(60, 44_999)).toBe(1)
    expect(await asked(60, 45_000)).toBe(2)
    expect(await asked(undefined, 0)).toBe(2)
  })

  it('are asked for once by connections that are made at once, and anew after a refusal', async () => {
    const { requests, request } = answering(tokenFor(300))
    const source = createTokenSource(endpoint, { request })
    await Promise.all([source.token(), source.token()])
    expect(requests).toHaveLength(1)
    source.forget()
    await source.token()
    expect(requests).toHaveLength(2)
  })

  it.each<[string, Answer, string]>([
    ['a refusal', json({ error: 'invalid_scope' }, 400), 'status 400, invalid_scope'],
    ['a refusal that repeats the secret', json({ error: SECRET }, 401), 'status 401'],
    ['a page', () => new Response('<html>'), 'the answer has no access_token'],
    ['a token that would end its message', json({ access_token: 'a\x01b' }), 'the answer has no access_token'],
    ['an endless answer', () => new Response('x'.repeat(70_000)), 'the answer is larger than 65536 bytes'],
    ['a connection that fails', () => lost(), 'ECONNREFUSED'],
  ])('are not to be had of %s, and the reason has no secret', async (_case, answer, reason) => {
    const { request } = answering(answer, tokenFor(300))
    const source = createTokenSource(endpoint, { request })
    const error: unknown = await source.token().catch((failure: unknown) => failure)
    expect(error).toMatchObject({
      message: expect.stringContaining(`token endpoint https://issuer.example/token: ${reason}`),
    })
    expect(String(error)).not.toContain('distinctive')
    expect(await source.token()).toBe('abc.def-1')
  })
})

function lost(): never {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) })
}
