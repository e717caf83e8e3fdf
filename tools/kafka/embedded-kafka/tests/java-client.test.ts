import { describe, expect, it } from 'vitest'
import { startEmbeddedKafka } from '../src/index.ts'
import { runJava } from './java-program.ts'

describe('the Java client on the embedded broker', { tags: 'java-client' }, () => {
  it.each([
    ['JavaClient', 'administers, produces with every compression, shares groups and keeps transactions apart'],
    ['JavaStaticMembers', 'comes back as a static member without a rebalance, and is fenced by its successor'],
    ['JavaOffsetsByTime', 'finds offsets by time within batches of every compression'],
    ['JavaAdminDetails', 'asks for what can be configured, sizes, the quorum, topics in pages, and groups'],
    ['JavaTransactionAdmin', 'asks for producers and transactions, and fences a producer'],
    ['JavaConsumerGroups', 'is assigned by the broker, in groups of the newer protocol'],
    ['JavaTransactionsV2', 'has another epoch after each transaction'],
    ['JavaQuotas', 'is told how long it is throttled, where it has quotas'],
    ['JavaFetchSessions', 'reads in fetch sessions, which notice what comes and goes'],
    ['JavaCompaction', 'changes settings of topics, and reads compacted ones of every compression'],
  ])('%s %s', async (program) => {
    await using broker = await startEmbeddedKafka({ cleanerBackoffMs: 50 })
    await runJava(program, broker.bootstrapServers)
  })

  it('shares partitions record by record, in share groups', async () => {
    await using broker = await startEmbeddedKafka()
    await runJava('JavaShareGroups', broker.bootstrapServers, {
      onOutput(text) {
        if (text.includes('move the clock')) broker.control.advanceClock(31_000)
      },
    })
  })

  it('does all of it again while requests are refused', async () => {
    await using broker = await startEmbeddedKafka({ cleanerBackoffMs: 50 })
    const rules = (
      [
        ['Produce', 'NOT_LEADER_OR_FOLLOWER'],
        ['Fetch', 'NOT_LEADER_OR_FOLLOWER'],
        ['ListOffsets', 'LEADER_NOT_AVAILABLE'],
        ['FindCoordinator', 'COORDINATOR_NOT_AVAILABLE'],
        ['JoinGroup', 'COORDINATOR_LOAD_IN_PROGRESS'],
        ['InitProducerId', 'COORDINATOR_LOAD_IN_PROGRESS'],
        ['EndTxn', 'NOT_COORDINATOR'],
      ] as const
    ).map(([api, error]) => broker.control.addRule({ kind: 'error', api, error, times: 2 }))
    await runJava('JavaClient', broker.bootstrapServers)
    expect(rules.map(({ hits }) => hits)).toEqual(rules.map(() => 2))
  })
})
