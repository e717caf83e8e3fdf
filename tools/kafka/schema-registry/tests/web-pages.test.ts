import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { startEmbeddedKafka } from '@taproom/embedded-kafka'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSchemaRegistry } from '../src/index.ts'
import { client, user } from './registry-client.ts'

const SCHEMA = JSON.stringify({ schema: JSON.stringify(user('name')) })
const VERSIONS = '/subjects/of-a-page/versions'

describe('decisions 3.139: the registry, used by a web page', () => {
  const opened = new AsyncDisposableStack()
  let url: string
  let port: number
  beforeAll(async () => {
    const { bootstrapServers } = opened.use(await startEmbeddedKafka())
    const registry = opened.use(await startSchemaRegistry({ bootstrapServers, allowedHosts: ['registry'] }))
    url = registry.url
    port = registry.port
    await client(url).register('kept', user('name'))
  })
  afterAll(() => opened.disposeAsync())

  /** With headers that `fetch` does not send. */
  function ask(method: string, path: string, headers: Readonly<Record<string, string>>, body?: string) {
    return new Promise<{ status: number | undefined; type: string | undefined; json: unknown }>((resolve, reject) => {
      request(url + path, { method, headers, agent: false }, (response) => {
        const { statusCode: status, headers: answered } = response
        text(response).then(
          (body) => resolve({ status, type: answered['content-type'], json: JSON.parse(body) }),
          reject,
        )
      })
        .once('error', reject)
        .end(body)
    })
  }

  it.each<[string, number, string, string, Readonly<Record<string, string>>]>([
    ['registers nothing from another origin', 403, 'POST', VERSIONS, { origin: 'https://evil.example' }],
    ['deletes nothing from another origin', 403, 'DELETE', '/subjects/kept', { origin: 'https://evil.example' }],
    ['reads nothing by a script of another site', 403, 'GET', '/subjects', { 'sec-fetch-site': 'cross-site' }],
    ['registers nothing by DNS rebinding', 421, 'POST', VERSIONS, { host: 'evil.example' }],
    ['reads nothing by DNS rebinding', 421, 'GET', '/subjects/kept/versions/1', { host: 'evil.example' }],
    ['deletes nothing by DNS rebinding', 421, 'DELETE', '/subjects/kept', { host: 'evil.example' }],
    ['registers nothing without a type', 415, 'POST', VERSIONS, { 'sec-fetch-site': 'same-origin' }],
  ])('%s', async (_what, status, method, path, headers) => {
    const answer = await ask(method, path, headers, method === 'POST' ? SCHEMA : undefined)
    expect(answer).toMatchObject({ status, type: 'application/problem+json' })
    // Clients of a registry show `message`; a person reads `detail`.
    expect(answer.json).toMatchObject({
      error_code: status,
      message: expect.stringMatching(/./),
      detail: expect.any(String),
    })
    expect((await client(url).call('GET', '/subjects')).json).toEqual(['kept'])
  })

  it('is served to clients without headers of browsers, by every name of this machine', async () => {
    for (const name of ['localhost', '127.0.0.1', '[::1]', '172.17.0.1', 'registry', 'REGISTRY']) {
      const headers = { host: `${name}:${port}` }
      expect(await ask('GET', '/subjects', headers)).toMatchObject({ status: 200, json: ['kept'] })
      expect(await ask('POST', '/subjects/kept/versions', headers, SCHEMA)).toMatchObject({ status: 200 })
    }
  })
})
