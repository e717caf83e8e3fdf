import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { startEmbeddedKafka } from '../src/index.ts'
import { runJava } from './java-program.ts'

/** What is another way here than on Apache Kafka, by the name of the attempt. */
const DIFFERENT: Readonly<Record<string, string>> = {
  // A group is there for as long as it has members or offsets, not a while longer.
  'delete group': 'GroupIdNotFoundException: The group id does not exist.',
  // Other words for the same.
  'elect leaders of nothing':
    'Optional[UnknownTopicOrPartitionException: This server does not host this topic-partition.]',
  'reassign nothing': 'UnknownTopicOrPartitionException: This server does not host this topic-partition.',
  // Apache Kafka 4.1.0 has no answer for it.
  'abort of an older epoch':
    'InvalidProducerEpochException: WriteTxnMarkers request with AbortTransactionSpec(topicPartition=beer-0, producerId=0, producerEpoch=-1, coordinatorEpoch=0) failed due an invalid producer epoch',
  // Features without anything behind them here are not there; share groups are on.
  features:
    '{group.version=FinalizedVersionRange[min_version_level:1, max_version_level:1], metadata.version=FinalizedVersionRange[min_version_level:27, max_version_level:27], share.version=FinalizedVersionRange[min_version_level:1, max_version_level:1], transaction.version=FinalizedVersionRange[min_version_level:2, max_version_level:2]}',
  'supported features':
    '{group.version=SupportedVersionRange[min_version:0, max_version:1], metadata.version=SupportedVersionRange[min_version:7, max_version:27], share.version=SupportedVersionRange[min_version:0, max_version:1], transaction.version=SupportedVersionRange[min_version:0, max_version:2]}',
  'features after':
    '{metadata.version=FinalizedVersionRange[min_version_level:27, max_version_level:27], share.version=FinalizedVersionRange[min_version_level:1, max_version_level:1]}',
  // There is no quorum of controllers, and there are no delegation tokens.
  'add raft voter': 'UnsupportedVersionException: The node does not support ADD_RAFT_VOTER',
  'remove raft voter': 'UnsupportedVersionException: The node does not support REMOVE_RAFT_VOTER',
  'create delegation token': 'UnsupportedVersionException: The node does not support CREATE_DELEGATION_TOKEN',
  'describe delegation tokens': 'UnsupportedVersionException: The node does not support DESCRIBE_DELEGATION_TOKEN',
  'renew delegation token': 'UnsupportedVersionException: The node does not support RENEW_DELEGATION_TOKEN',
  'expire delegation token': 'UnsupportedVersionException: The node does not support EXPIRE_DELEGATION_TOKEN',
}

function outcomes(printed: string): ReadonlyMap<string, string> {
  const lines = printed.split('\n').flatMap((line) => /^([^:]+): (.*)$/.exec(line) ?? [])
  return new Map(
    Array.from({ length: lines.length / 3 }, (_, at) => [lines[at * 3 + 1] ?? '', lines[at * 3 + 2] ?? '']),
  )
}

describe('the Java admin client', { tags: 'java-client' }, () => {
  it('decisions 3.90: gets in every method what Apache Kafka 4.1.0 answers, but for what is named', async () => {
    // What JavaAdmin printed there.
    const apache = outcomes(readFileSync(new URL('./java/admin-of-apache-kafka.txt', import.meta.url), 'utf8'))
    await using broker = await startEmbeddedKafka()
    const ours = outcomes(await runJava('JavaAdmin', broker.bootstrapServers))
    for (const [attempt, outcome] of apache) {
      expect([attempt, ours.get(attempt)]).toEqual([attempt, DIFFERENT[attempt] ?? outcome])
    }
    expect(apache.size).toBeGreaterThan(100)
  })
})
