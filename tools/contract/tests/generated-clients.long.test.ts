import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDevIssuer } from '@taproom/jwt/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Generator,
  heyApi,
  oapiCodegen,
  ogen,
  openapiPythonClient,
  openapiTypescript,
} from './clients/generators.ts'
import { redoclyErrors } from './clients/redocly.ts'
import { startSystem } from './system-setup.ts'

/** The operation whose answer does not end. */
const STREAM = 'pricedBeers'

let system: Awaited<ReturnType<typeof startSystem>>
let folder: string
let token: string
let operations: readonly string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taproom-clients-'))
  system = await startSystem()
  const document = await (await fetch(`${system.target.url}/q/openapi?format=json`)).text()
  await writeFile(join(folder, 'openapi.json'), document)
  const paths: Readonly<Record<string, { get: { operationId: string } }>> = JSON.parse(document).paths
  operations = Object.values(paths).map(({ get }) => get.operationId)
  const issuer = await createDevIssuer({ folder: system.target.keys })
  token = await issuer.sign({ user: 'duke', groups: ['Subscriber'] })
})
afterAll(async () => {
  await system?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** `health-live`, `HealthLive` and `health_live` are one operation. */
const plain = (operation: string) => operation.replace(/[-_]/g, '').toLowerCase()

async function callAll(generate: Generator) {
  const own = await mkdtemp(join(folder, 'client-'))
  const client = { folder: own, document: join(folder, 'openapi.json'), url: system.target.url, token }
  const answers = await generate(client)
  const called = answers.map(({ operation }) => plain(operation)).toSorted()
  expect(called).toEqual(
    operations
      .filter((id) => id !== STREAM)
      .map(plain)
      .toSorted(),
  )
  expect(new Set(answers.map(({ status = 200 }) => status))).toEqual(new Set([200]))
  return new Map(answers.map(({ operation, parsed }) => [plain(operation), parsed]))
}

describe('a client made from the description calls every operation that ends', () => {
  it('openapi-typescript', async () => {
    const parsed = await callAll(openapiTypescript)
    expect([parsed.get('claim'), parsed.get('health'), parsed.get('strongbeers')]).toEqual(['duke', 'UP', 'number'])
    expect(parsed.get('movies')).toMatch(/\w/)
  })

  it('@hey-api/openapi-ts', async () => {
    const parsed = await callAll(heyApi)
    expect([parsed.get('claim'), parsed.get('health'), parsed.get('movies')]).toEqual(['string', 'object', 'object'])
  })

  it('openapi-python-client', { tags: 'python' }, async () => {
    const parsed = await callAll(openapiPythonClient)
    expect([parsed.get('claim'), parsed.get('health'), parsed.get('movies')]).toEqual(['str', 'HealthReport', 'list'])
  })

  it('oapi-codegen', { tags: 'go' }, async () => {
    const parsed = await callAll(oapiCodegen)
    expect([parsed.get('health'), parsed.get('movies')]).toEqual(['JSON200', 'JSON200'])
  })

  it("redocly's default rules find nothing but the path of the health page", async () => {
    const paths = await redoclyErrors(join(folder, 'openapi.json'))
    expect(paths).toEqual(['no-path-trailing-slash #/paths/~1q~1health-ui~1'])
  })

  it('ogen', { tags: 'go' }, async () => {
    const parsed = await callAll(ogen)
    expect(parsed.get('claim')).toBe('*generated.ClaimOK')
    expect(parsed.get('movies')).toBe('*generated.MoviesOKApplicationJSON')
  })
})
