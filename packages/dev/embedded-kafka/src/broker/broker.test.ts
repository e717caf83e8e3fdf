import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openBroker } from './broker.ts'

it('a deleted topic leaves nothing on the disk', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'embedded-kafka-'))
  const broker = openBroker({
    dataDir,
    defaultPartitions: 3,
    autoCreateTopics: true,
    cleanerBackoffMs: 1000,
    limits: { maxPartitions: 10, maxGroups: 10, maxGroupMembers: 10, maxTransactionalIds: 10 },
  })
  try {
    const { id } = broker.topics.create('kept')
    broker.topics.create('deleted')
    broker.topics.delete('deleted')
    expect(readdirSync(join(dataDir, 'topics'))).toEqual([id])
  } finally {
    broker.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
