import { describe, expect, it } from 'vitest'
import { startEmbeddedKafka } from '../src/index.ts'
import { waitFor } from './consume.ts'
import { runJava } from './java-program.ts'

describe('the Java client on a cluster', { tags: 'java-client' }, () => {
  it('moves partitions, elects leaders, and loses nothing while brokers are killed in turn', async () => {
    await using cluster = await startEmbeddedKafka({ brokers: 3, racks: ['a', 'b', 'c'], defaultPartitions: 3 })
    let isReady = false
    let isDone = false
    let acknowledgements = 0
    const program = runJava('JavaCluster', cluster.bootstrapServers, {
      onOutput(text) {
        isReady ||= text.includes('ready')
        acknowledgements += text.split('acknowledged').length - 1
      },
    }).finally(() => {
      isDone = true
    })
    let kills = 0
    await waitFor(() => isReady || isDone)
    while (!isDone) {
      const broker = cluster.brokers[kills % 3]
      const before = acknowledgements
      await broker?.kill()
      await new Promise((resolve) => setTimeout(resolve, 300))
      await broker?.start()
      kills += 1
      await new Promise((resolve) => setTimeout(resolve, 500))
      // A client on a busy machine may need longer than that to find the new leaders.
      await waitFor(() => isDone || acknowledgements > before)
    }
    await program
    expect(kills).toBeGreaterThanOrEqual(1)
  })
})
