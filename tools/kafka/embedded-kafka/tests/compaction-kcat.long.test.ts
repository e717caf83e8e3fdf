import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startEmbeddedKafka } from '../src/index.ts'
import { COMPACT, clientOf, withTopic } from './compacted-topic.ts'
import { waitFor } from './consume.ts'
import { kcat } from './kcat.ts'

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'embedded-kafka-'))
})

afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

describe('a compacted topic', { tags: 'kcat' }, () => {
  it.each(['none', 'gzip', 'snappy', 'lz4', 'zstd'])('is read and written by kcat with %s', async (codec) => {
    await using broker = await startEmbeddedKafka({ dataDir, cleanerBackoffMs: 5 })
    await using _topic = await withTopic(clientOf(broker.bootstrapServers), COMPACT)
    const target = ['-b', broker.bootstrapServers, '-t', 't', '-K', ':']
    const text = 'the same text again and again '.repeat(50)
    const lines = (value: number) => Array.from({ length: 200 }, (_, key) => `key-${key}:${value} ${text}`)
    const compressed = ['-P', '-X', `compression.codec=${codec}`, '-X', 'linger.ms=200']
    for (const value of [1, 2, 3]) await kcat([...target, ...compressed], lines(value).join('\n'))
    // Too large to be in one segment with a part of the others.
    const last = `last:${randomBytes(1000).toString('hex')}`
    await kcat([...target, '-P'], last)
    const everything = () => kcat([...target, '-C', '-e', '-q', '-o', 'beginning'])
    await waitFor(async () => (await everything()).trim().split('\n').length === 201)
    expect((await everything()).trim().split('\n')).toEqual([...lines(3), last])
  })
})
