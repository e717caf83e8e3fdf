import { randomUUID } from 'node:crypto'
import { createKafka, openIncoming } from '@taproom/messaging'
import { createLogger } from '@taproom/service'
import { waitFor } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { numbered, openKafkaAndConsole } from './fixtures/kafka.ts'

const { bootstrapServers, console, kafka } = await openKafkaAndConsole()
const log = createLogger('topic-uses', { level: 'fatal' })

it('decisions 3.193: a topic that a read has made is known with its reader, and one that nothing reads', async () => {
  const unread = await kafka.makeTopic()
  await kafka.write(unread, numbered(1))
  const name = `misspelt-${randomUUID()}`
  await using _reader = openIncoming(createKafka({ clientId: 'orders', bootstrapServers, log }), {
    ...{ channel: 'in', topic: name, groupId: name, onMessage() {} },
  })
  const use = await waitFor('the reader', async () => {
    const found = (await console.kafka.topicUses()).find((topic) => topic.name === name)
    return found?.isRead ? found : undefined
  })
  expect(use).toEqual({ name, isWritten: false, readers: ['orders'], isRead: true })
  expect(await console.kafka.topicUses()).toContainEqual({ name: unread, isWritten: true, readers: [], isRead: false })
})
