import { waitFor } from '@taproom/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Verdict, Verdicts } from '../../src/api/verdicts.ts'
import { driven } from '../fixtures/driven.ts'
import { sharedSystem } from '../fixtures/shared-system.ts'

let system: ReturnType<typeof driven>
beforeAll(async () => {
  system = driven(await sharedSystem())
})

function verdict(problem: RegExp): Promise<Verdict> {
  return waitFor(`a verdict: ${problem}`, async () => {
    const { items } = (await system.get('/api/verdicts')).body as Verdicts
    return items.find((each) => problem.test(each.problem))
  })
}

describe('verdicts', () => {
  it('are one for a Kafka that is away, and name what waits for it', async () => {
    expect((await system.put('/api/faults/embedded-kafka', { mode: 'away' })).status).toBe(200)
    const { part } = await verdict(/Kafka at 127\.0\.0\.1:\d+ does not answer; waiting for it: .*beer-generator/)
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
