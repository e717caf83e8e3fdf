import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openTestBroker } from '../../tests/open-test-broker.ts'

it('a deleted topic leaves nothing on the disk', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'embedded-kafka-'))
  const broker = openTestBroker({
    dataDir,
    defaultPartitions: 3,
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
