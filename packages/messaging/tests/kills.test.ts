import { waitFor } from '@taproom/testkit'
import { expect } from 'vitest'
import { createTopicAdmin, openTransform } from '../src/index.ts'
import { channelOf, it, makeTopics, readCommitted, SHORT_SESSION, startTransform } from './exactly-once.ts'

it('decisions 3.6: openTransform works again after it was killed', async ({ broker }) => {
  const topics = await makeTopics(broker, 1)
  await using first = startTransform(broker, topics, SHORT_SESSION)
  await waitFor('the first instance', () => first.lines.includes('assigned'))
  await broker.write(topics.input, '1')
  await using admin = createTopicAdmin(broker.kafka)
  const isAt = async (offset: string) => (await admin.committedOffsets(topics.groupId, topics.input))[0] === offset
  await waitFor('the first message', () => isAt('1'))
  await first.kill()
  await using _second = openTransform(broker.kafka, {
    ...channelOf(topics),
    transform: ({ value }) => [{ value: `${value} priced` }],
  })
  await broker.write(topics.input, '2')
  await waitFor('the second message', () => isAt('2'))
  expect(await readCommitted(broker, topics.output, 2)).toEqual(['1 priced', '2 priced'])
})
