import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startBrokerProcess } from './broker-process.ts'
import { COMPACT, clientOf, logBytes, read, withTopic } from './compacted-topic.ts'
import { waitFor } from './consume.ts'

const PROGRAM = fileURLToPath(new URL('./cleaning-broker.ts', import.meta.url))

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'embedded-kafka-'))
})

afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

describe('a compacted topic', () => {
  it('keeps the last value of each key, also when the broker is killed again and again', async () => {
    let broker = await startBrokerProcess({ dataDir, program: PROGRAM })
    const kafka = clientOf(broker.bootstrapServers)
    await using topic = await withTopic(kafka, COMPACT)
    const rounds = 40
    for (let round = 1; round <= rounds; round += 1) {
      await topic.send(['a', 'b', 'c'].map((key) => ({ key, value: `${key}${round}`.padEnd(1000, ' ') })))
      if (round % 20 !== 0) continue
      await broker.kill('SIGKILL')
      broker = await startBrokerProcess({ dataDir, program: PROGRAM, port: broker.port })
    }
    await waitFor(() => logBytes(dataDir) < 8 * 1000)
    // The last ones of what was cleaned, and those being written to.
    const values = await read(kafka, 6)
    expect(values.slice(-3).map((line) => line.trim())).toEqual([
      `${rounds * 3 - 3} a=a${rounds}`,
      `${rounds * 3 - 2} b=b${rounds}`,
      `${rounds * 3 - 1} c=c${rounds}`,
    ])
    expect(await broker.kill('SIGTERM')).toBe(0)
  })
})
