import { fileURLToPath } from 'node:url'
import { freePort, waitFor } from '@taproom/testkit'
import { expect, it } from 'vitest'
import type { Verdicts } from '../../src/api/verdicts.ts'
import { startSmallSystem } from '../fixtures/small-system.ts'

const PIPED = fileURLToPath(new URL('../fixtures/piped/', import.meta.url))

it('names the record at which a transform threw, and what it threw', async () => {
  await using system = await startSmallSystem({ KAFKA_PORT: String(await freePort()) }, PIPED)
  await waitFor('the topic', async () => {
    const { status } = await system.send('POST', '/api/kafka/topics/words/records', { value: 'unspeakable' })
    return status === 200
  })
  const found = await waitFor('the verdict', async () => {
    const { items } = await system.get<Verdicts>('/api/verdicts')
    return items.find(({ part }) => part === 'channel/piper/spoken')
  })
  expect(found.problem).toMatch(
    /^piper, topic words partition \d offset \d: .*the channel stops: this word cannot be spoken$/,
  )
  expect(found).toMatchObject({ severity: 'error', remedy: expect.stringContaining('pnpm service restart piper') })
  // The cause is named once: the check of the channel, which is DOWN, has no verdict of its own.
  expect((await system.get<Verdicts>('/api/verdicts')).items).toEqual([found])
  // It is also what there is to say of the service.
  expect((await system.get<Verdicts>('/api/verdicts?name=piper')).items).toEqual([found])
})
