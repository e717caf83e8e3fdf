import { waitFor } from '@taproom/testkit'
import { expect, it, vi } from 'vitest'
import { createTopicAdmin } from '../src/index.ts'
import { startBroker, unique } from './broker.ts'
import { openTexts, storedOffset } from './fan-out-parts.ts'

it('a fan-out stores its offsets again every hour, as Kafka forgets those of groups without members', async () => {
  await using broker = await startBroker()
  const topic = await broker.makeTopic()
  const groupId = unique('group')
  await broker.write(topic, 'a')
  await using fanOut = openTexts(broker.kafka, topic)
  fanOut.subscribe(groupId)
  const isStored = async () => (await storedOffset(broker, groupId, topic)) === '1'
  await waitFor('the offset', isStored)
  await using admin = createTopicAdmin(broker.kafka)
  await admin.deleteGroup(groupId)
  expect(await isStored()).toBe(false)
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 3_600_000)
  try {
    await waitFor('the offset again', isStored)
  } finally {
    clock.mockRestore()
  }
})
