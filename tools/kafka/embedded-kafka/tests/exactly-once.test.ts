import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { transformWhileKilled } from './exactly-once.ts'

describe('consume-transform-produce with transactions', () => {
  let dataDir: string

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'embedded-kafka-'))
  })

  afterEach(async () => {
    await rm(dataDir, { recursive: true, force: true })
  })

  it('gives read_committed readers every result exactly once while the broker is killed', async () => {
    const results = await transformWhileKilled(dataDir, { count: 100, kills: 1 })
    expect(results).toEqual(Array.from({ length: 100 }, (_, index) => index))
  })
})
