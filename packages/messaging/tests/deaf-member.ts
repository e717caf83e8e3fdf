import type { TestBroker } from './broker.ts'

/** A member of a group that says nothing for minutes: it does not hear of a rebalance, as one whose process is gone. */
export async function joinAsDeafMember(broker: TestBroker, groupId: string, topic: string): Promise<AsyncDisposable> {
  const deaf = broker.kafka.kafkajs.consumer({
    groupId,
    sessionTimeout: 300_000,
    rebalanceTimeout: 300_000,
    heartbeatInterval: 120_000,
  })
  await deaf.connect()
  const joined = new Promise((resolve) => deaf.on(deaf.events.GROUP_JOIN, resolve))
  await deaf.subscribe({ topics: [topic] })
  await deaf.run({ autoCommit: false, eachMessage: async () => undefined })
  await joined
  return { [Symbol.asyncDispose]: () => deaf.disconnect() }
}
