import { createHealth } from '@taproom/health'
import { VerifierBusyError } from '@taproom/jwt'
import { createLogger, listen } from '@taproom/service'
import { type DescribedApi, readDescription } from '@taproom/testkit/openapi'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { type IssuedClaimService, startIssuedClaimService } from './claim-service.ts'

let service: IssuedClaimService
let api: DescribedApi

const served = async (url: string) => (await (await fetch(`${url}/q/openapi?format=json`)).json()) as object

beforeAll(async () => {
  service = await startIssuedClaimService()
  api = await readDescription(await served(service.url))
})
afterAll(() => service[Symbol.asyncDispose]())

describe('/q/openapi', () => {
  it('is YAML by default', async () => {
    const response = await fetch(`${service.url}/q/openapi`)
    expect(response.headers.get('content-type')).toBe('application/yaml;charset=UTF-8')
    expect(await response.text()).toContain('\n  /secure/claim:\n')
  })

  it('describes every answer there is, and no other', async () => {
    const status = async (headers: Record<string, string>, url = service.url) =>
      (await api.fetch(`${url}/secure/claim`, { headers })).status
    const bearer = async (claims = {}) => ({ Authorization: `Bearer ${await service.issuer.sign(claims)}` })
    expect(await status(await bearer())).toBe(200)
    expect(await status(await bearer({ preferred_username: undefined }))).toBe(204)
    expect(await status({})).toBe(401)
    expect(await status({ Authorization: 'Bearer no-token' })).toBe(401)
    expect(await status(await bearer({ groups: ['Tester'] }))).toBe(403)
    await using cookies = await startIssuedClaimService({ MP_JWT_TOKEN_HEADER: 'Cookie' })
    expect(await status({ Cookie: 'Bearer=a; Bearer=b' }, cookies.url)).toBe(400)
    await using busy = await startWith(new VerifierBusyError())
    expect(await status(await bearer(), busy.url)).toBe(429)
    await using broken = await startWith(new Error('a mistake here'))
    expect(await status(await bearer(), broken.url)).toBe(500)
    expect(api.unseen().filter((answer) => answer.includes(' /secure/claim '))).toEqual([])
  })

  it('describes refusals of methods and paths, health, metrics and itself', async () => {
    const { url } = service
    for (const method of ['HEAD', 'POST', 'OPTIONS']) await api.fetch(`${url}/secure/claim`, { method })
    for (const path of ['/other', '/q/health', '/q/health/ready', '/q/metrics', '/q/openapi'])
      await api.fetch(url + path)
  })

  it('names the place where the token is expected', async () => {
    expect(await served(service.url)).toMatchObject({
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    })
    await using cookies = await startIssuedClaimService({ MP_JWT_TOKEN_HEADER: 'Cookie', MP_JWT_TOKEN_COOKIE: 'jwt' })
    expect(await served(cookies.url)).toMatchObject({
      components: { securitySchemes: { token: { type: 'apiKey', in: 'cookie', name: 'jwt' } } },
    })
  })
})

/** The app with a verifier that always fails. */
function startWith(error: Error) {
  const verifier = { verify: () => Promise.reject(error), outcomes: () => ({}) as never }
  const log = createLogger('claim-api', { level: 'silent' })
  const config = readConfig({ MP_JWT_VERIFY_PUBLICKEY: 'unused', MP_JWT_VERIFY_ISSUER: 'https://issuer.example' })
  const app = createApp({ config, verifier, health: createHealth(), log })
  return listen(app, { host: '127.0.0.1', port: 0 })
}
