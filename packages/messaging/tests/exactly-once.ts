import { waitFor } from '@taproom/testkit'
import { it as base } from 'vitest'
import { createTopicAdmin, openOutgoing } from '../src/index.ts'
import { startBroker, type TestBroker, textOf, unique } from './broker.ts'
import { startProcess } from './process.ts'

/** A test with the broker of its file. */
export const it = base.extend<{ broker: TestBroker }>({
  broker: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which other fixtures are wanted.
    async ({}, use) => {
      await using broker = await startBroker()
      await use(broker)
    },
    { scope: 'file' },
  ],
})

/** The topics of a transform, and its group. */
export interface Topics {
  readonly input: string
  readonly output: string
  readonly groupId: string
}

/** Topics and a group with unique names. */
export async function makeTopics(broker: TestBroker, partitions: number): Promise<Topics> {
  return {
    input: await broker.makeTopic(partitions),
    output: await broker.makeTopic(partitions),
    groupId: unique('group'),
  }
}

/** All values that a read_committed reader sees up to the end of the topic, `count` different ones at least. */
export async function readCommitted(broker: TestBroker, topic: string, count: number): Promise<string[]> {
  await using result = broker.read(topic)
  const values = () => result.messages.map(textOf)
  await waitFor('every result', () => new Set(values()).size >= count)
  // A duplicate would come later: a last record in each partition shows that everything before it has been read.
  const marker = unique('end')
  await using admin = createTopicAdmin(broker.kafka)
  const partitions = (await admin.endOffsets(topic)).length
  await using writer = openOutgoing(broker.kafka, { channel: 'marker', topic, timeoutMs: 90_000 })
  const markers = Array.from({ length: partitions * 20 }, (_, index) => `${marker}-${index}`)
  await Promise.all(markers.map((value) => writer.send({ key: value, value })))
  await waitFor('the markers', () => new Set(markers).isSubsetOf(new Set(values())))
  return values().filter((value) => !value.startsWith(marker))
}

/** A transform's channel from one of the topics to the other. */
export function channelOf({ input, output, groupId }: Topics) {
  return { channel: 'pricing', inputTopic: input, outputTopic: output, groupId, transactionalId: groupId }
}

/** For who is killed: the group waits that long for it. */
export const SHORT_SESSION = { SESSION_TIMEOUT_MS: '2000' }

/** A process that transforms the messages of `topics`. */
export function startTransform(
  broker: TestBroker,
  { input, output, groupId }: Topics,
  env: Readonly<Record<string, string>> = {},
) {
  return startProcess('transform-process', {
    BOOTSTRAP_SERVERS: broker.bootstrapServers,
    INPUT_TOPIC: input,
    OUTPUT_TOPIC: output,
    GROUP_ID: groupId,
    ...env,
  })
}
