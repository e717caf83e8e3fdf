import { dirname, join } from 'node:path'
import { createDevIssuer } from '@taproom/jwt/testing'
import { waitFor } from '@taproom/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Verdict, Verdicts } from '../../src/api/verdicts.ts'
import { driven } from '../fixtures/driven.ts'
import { sharedSystem } from '../fixtures/shared-system.ts'

let system: ReturnType<typeof driven>
let keys: string
beforeAll(async () => {
  const shared = await sharedSystem()
  system = driven(shared)
  keys = join(dirname(shared.socket), 'keys')
})

function verdict(problem: RegExp): Promise<Verdict> {
  return waitFor(`a verdict: ${problem}`, async () => {
    const { items } = (await system.get('/api/verdicts')).body as Verdicts
    return items.find((each) => problem.test(each.problem))
  })
}

describe('verdicts', () => {
  it('name a record that cannot be read, with its place', async () => {
    await system.post('/api/kafka/topics/beer/records', { value: 'not a beer' })
    const { part, evidence } = await verdict(/malformed beer skipped/)
    expect(part).toBe('channel/price-generator/beer')
    expect(evidence).toMatchObject({ topic: 'beer', offset: expect.stringMatching(/^\d+$/) })
  })

  it('name the issuer that is accepted, after a token of another one', async () => {
    const other = await createDevIssuer({ folder: keys, issuer: 'https://other.example' })
    const token = await other.sign({ user: 'duke', groups: [] })
    const response = await fetch(`${system.gateway}/secure/claim`, { headers: { authorization: `Bearer ${token}` } })
    expect(response.status).toBe(401)
    const { part, severity } = await verdict(/claim-api refused \d+ tokens?.*accepted: https:/)
    expect({ part, severity }).toEqual({ part: 'service/claim-api', severity: 'warning' })
  })

  it('are one for a Kafka that is away, and name what waits for it', async () => {
    expect((await system.put('/api/faults/embedded-kafka', { mode: 'away' })).status).toBe(200)
    const { part } = await verdict(/Kafka at 127\.0\.0\.1:\d+ does not answer; these wait for it: .*beer-generator/)
    expect(part).toBe('kafka/embedded-kafka')
    const { items } = (await system.get('/api/verdicts')).body as Verdicts
    expect(items.filter((each) => /check "Kafka/.test(each.problem))).toEqual([])
    const ofOne = (await system.get('/api/verdicts?name=beer-generator')).body as Verdicts
    expect(ofOne.items.map((each) => each.part)).toContain('kafka/embedded-kafka')
    await system.put('/api/faults/embedded-kafka', { mode: 'none' })
    await waitFor('Kafka', async () => {
      const { body } = await system.get('/api/verdicts')
      return !(body as Verdicts).items.some((each) => each.part.startsWith('kafka/'))
    })
  })
})
