import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EmbeddedKafka, startEmbeddedKafka } from '../src/index.ts'

type Headers = Readonly<Record<string, string>>

describe('decisions 3.139: the control API, used by a web page', () => {
  let kafka: EmbeddedKafka
  beforeAll(async () => {
    kafka = await startEmbeddedKafka({ controlPort: 0, controlHost: '127.0.0.1', advertise: 'kafka.example:9092' })
  })
  afterAll(() => kafka[Symbol.asyncDispose]())

  /** With headers that `fetch` does not send. */
  async function ask(method: string, path: string, headers: Headers, body?: string) {
    const sent = request({ host: '127.0.0.1', port: kafka.controlPort, method, path, headers, agent: false }).end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const content = await text(response)
    return { status: response.statusCode, type: response.headers['content-type'], content }
  }

  it.each<[string, number, Headers]>([
    ['by DNS rebinding', 421, { host: 'evil.example' }],
    ['of another origin', 403, { origin: 'https://evil.example' }],
    ['of a page beside it', 403, { 'sec-fetch-site': 'same-site' }],
    ['without a type', 415, { 'sec-fetch-site': 'same-origin' }],
  ])('a rule %s is not set: %d', async (_what, status, headers) => {
    const rule = JSON.stringify({ kind: 'leaderless', topic: 'beers' })
    const answer = await ask('POST', '/rules', headers, rule)
    expect(answer).toMatchObject({ status, type: 'application/problem+json' })
    expect(JSON.parse(answer.content).detail).toMatch(/not served here|web pages|from a browser/)
    expect(kafka.control.rules).toEqual([])
  })

  it('reads nothing either, and drops no client', async () => {
    for (const path of ['/rules', '/clients', '/groups', '/openapi.json']) {
      expect((await ask('GET', path, { host: 'evil.example' })).status).toBe(421)
      expect((await ask('GET', path, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    }
    expect((await ask('DELETE', '/clients', { host: 'evil.example' })).status).toBe(421)
  })

  it('is served by every name of this machine, and by those that the broker tells its clients', async () => {
    for (const host of ['localhost', '127.0.0.1', '[::1]', '172.17.0.2', 'kafka.example', 'Kafka.Example:9644']) {
      expect([host, (await ask('GET', '/rules', { host })).status]).toEqual([host, 200])
    }
    const withoutType = await ask('POST', '/clock', {}, '{"advanceMs":1}')
    expect(withoutType.status).toBe(200)
  })
})
