import { createRequire } from 'node:module'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'

const createFetchManager = createRequire(import.meta.url)('kafkajs/src/consumer/fetchManager.js')
const logger = { namespace: () => logger, debug: () => undefined, info: () => undefined }

it('decisions 3.70: a consumer stopped while brokers change does not fetch on, which would let nothing else run', async () => {
  let nodeIds = ['1', '2']
  let fetches = 0
  const slow = Promise.withResolvers<void>()
  const manager = createFetchManager({
    logger,
    getNodeIds: () => nodeIds,
    handler: async () => undefined,
    fetch: async (nodeId: string) => {
      fetches += 1
      if (fetches > 100) throw new Error('it fetches on')
      await (nodeId === '2' ? slow.promise : setImmediate())
      return []
    },
  })
  const started = manager.start()
  nodeIds = ['1']
  // The first fetcher notices it and ends, the second one is waited for; just then the consumer is stopped.
  await setImmediate()
  await setImmediate()
  const stopped = manager.stop()
  slow.resolve()
  await expect(Promise.all([started, stopped])).resolves.toHaveLength(2)
})
