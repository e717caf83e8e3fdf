import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { waitFor } from '../../tests/consume.ts'
import { makeBatch } from '../../tests/make-batch.ts'
import { pairBatch } from '../../tests/make-log.ts'
import { openTestBroker, type SoleBroker } from '../../tests/open-test-broker.ts'
import { checkBatch } from '../records/check-batch.ts'
import { DiskFile } from '../storage/disk-file.ts'
import { Folder } from '../storage/folder.ts'
import { appendEntry } from '../storage/journal.ts'

let dataDir: string
let damage: string[]

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'embedded-kafka-'))
  damage = []
})

afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const EVERYTHING = { isolation: 'read_uncommitted', maxBytes: 1e6, atLeastOne: true } as const

function open(cleanerBackoffMs = 1000): SoleBroker {
  return openTestBroker({
    dataDir,
    onDamage: (message) => damage.push(message),
    cleanerBackoffMs,
  })
}

function write(broker: SoleBroker, topic: string, count: number): void {
  const { id } = broker.topics.find(topic) ?? broker.topics.create(topic)
  expect(id).toHaveLength(32)
  for (let sent = 0; sent < count; sent += 1) {
    const batch = makeBatch()
    broker.topics.partition(topic, 0).append(batch, checkBatch(batch, { maxBytes: 1000, now: Date.now() }))
  }
}

const journal = (): string => join(dataDir, 'state.journal')
const topicNames = (broker: SoleBroker): string[] => broker.topics.all.map(({ name }) => name)

function flip(path: string, at: number): void {
  const bytes = readFileSync(path)
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0xff, at)
  writeFileSync(path, bytes)
}

describe('a damaged journal', () => {
  it('costs what is damaged, is kept, and takes no topic with it', () => {
    let broker = open()
    for (const name of ['first', 'lost', 'last']) write(broker, name, 3)
    const lost = broker.topics.find('lost')?.id ?? ''
    broker.close()
    flip(journal(), readFileSync(journal()).indexOf('"lost"'))
    broker = open()
    expect(topicNames(broker)).toEqual(['first', 'last'])
    expect(broker.topics.partition('last', 0).endOffset).toBe(3)
    expect(damage).toHaveLength(2)
    const kept = readdirSync(join(dataDir, 'damaged'))
    expect(kept.some((name) => name.endsWith('state.journal'))).toBe(true)
    expect(kept.some((name) => name.endsWith(lost))).toBe(true)
    broker.close()
    damage = []
    open().close()
    expect(damage).toEqual([])
  })

  it.each([
    ['an entry that is no list', { table: 'topics' }],
    [
      'a topic whose folder would be elsewhere',
      [{ table: 'topics', id: 't', value: { id: '../../etc', partitions: 1, config: {} } }],
    ],
    ['a topic of no partitions', [{ table: 'topics', id: 't', value: { id: 'a'.repeat(32), config: {} } }]],
    ['an offset of nobody', [{ table: 'offsets', id: 'not json', value: { offset: 1, leaderEpoch: 0 } }]],
    ['an offset that is none', [{ table: 'offsets', id: '["g","t",0]', value: 'x' }]],
    ['a staged offset that is none', [{ table: 'staged-offsets', id: 'x', value: {} }]],
    ['a transaction that is none', [{ table: 'transactions', id: 'x', value: { phase: 'ongoing' } }]],
    [
      'a transaction in no known phase',
      [
        {
          table: 'transactions',
          id: 'x',
          value: { producerId: 1, producerEpoch: 1, timeoutMs: 1, phase: { kind: 'x' } },
        },
      ],
    ],
  ])('is used without %s', (_case, entry) => {
    let broker = open()
    write(broker, 'kept', 1)
    broker.close()
    const file = new DiskFile(new Folder(dirname(journal())), basename(journal()))
    appendEntry(file, entry)
    file.seal()
    broker = open()
    expect(topicNames(broker)).toEqual(['kept'])
    expect(damage).toHaveLength(1)
    broker.close()
  })

  it('is not one that a kill has cut off', () => {
    let broker = open()
    write(broker, 'kept', 1)
    broker.close()
    const bytes = readFileSync(journal())
    writeFileSync(journal(), Buffer.concat([bytes, bytes.subarray(0, 30)]))
    broker = open()
    expect(topicNames(broker)).toEqual(['kept'])
    expect(damage).toEqual([])
    broker.close()
  })
})

describe('a damaged log', () => {
  function logFiles(suffix: string): string[] {
    const folder = join(dataDir, 'topics')
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith(suffix))
      .map((name) => join(folder, name))
  }

  it('is read up to the damage, and kept as it was', () => {
    let broker = open()
    write(broker, 't', 3)
    broker.close()
    const [log = ''] = logFiles('.log')
    const [checkpoint = ''] = logFiles('.checkpoint')
    rmSync(checkpoint)
    const before = readFileSync(log)
    flip(log, before.length / 3 + 70)
    const damaged = readFileSync(log)
    broker = open()
    expect(broker.topics.partition('t', 0).endOffset).toBe(1)
    expect(damage).toHaveLength(1)
    const [kept = ''] = readdirSync(join(dataDir, 'damaged'))
    expect(readFileSync(join(dataDir, 'damaged', kept))).toEqual(damaged)
    broker.close()
  })

  it('without the records at its start goes on behind what was deleted, also when it is opened again', () => {
    let broker = open()
    write(broker, 't', 9)
    broker.topics.deleteRecords('t', 0, 8)
    broker.close()
    const [log = ''] = logFiles('.log')
    truncateSync(log, readFileSync(log).length / 3)
    for (const count of [0, 1, 2]) {
      broker = open()
      const partition = broker.topics.partition('t', 0)
      expect([partition.startOffset, partition.endOffset]).toEqual([8, 8 + count])
      expect(partition.read({ fromOffset: 8, ...EVERYTHING }).records.length > 0).toBe(count > 0)
      write(broker, 't', 1)
      broker.close()
    }
  })

  it('is compacted where other records have taken the place of compacted ones', async () => {
    const settings = { 'cleanup.policy': 'compact', 'internal.segment.bytes': '1', 'min.cleanable.dirty.ratio': '0' }
    let broker = open(1)
    broker.topics.create('t', { config: settings })
    const writePairs = (count: number): void => {
      for (let sent = 0; sent < count; sent += 1) {
        // Two of them do not fit into a segment.
        const batch = pairBatch([['key', 'x'.repeat(1000)]], { timestamp: Date.now() })
        broker.topics.partition('t', 0).append(batch, checkBatch(batch, { maxBytes: 2000, now: Date.now() }))
      }
    }
    const size = () => broker.topics.partition('t', 0).sizeInBytes
    writePairs(10)
    const whole = size()
    await waitFor(() => size() < whole / 4)
    broker.close()
    for (const path of [...logFiles('.log'), ...logFiles('.checkpoint')]) rmSync(path)
    broker = open(1)
    writePairs(5)
    expect(size()).toBeGreaterThan(whole / 4)
    await waitFor(() => size() < whole / 4)
    broker.close()
  })

  it.each([
    ['nothing', null],
    ['no segment', { derived: {} }],
    ['an index that is none', { segment: { size: 0, nextOffset: 3, maxTimestamp: 1, index: 'x' }, derived: {} }],
    ['producers that are none', { segment: { size: 'same', nextOffset: 3, maxTimestamp: 1, index: [] }, derived: 7 }],
  ])('is read anew where its checkpoint holds %s', (_case, content) => {
    let broker = open()
    write(broker, 't', 3)
    broker.close()
    const [checkpoint = ''] = logFiles('.checkpoint')
    const [log = ''] = logFiles('.log')
    rmSync(checkpoint)
    const size = readFileSync(log).length
    const file = new DiskFile(new Folder(dirname(checkpoint)), basename(checkpoint))
    appendEntry(file, JSON.parse(JSON.stringify(content).replace('"same"', String(size))))
    file.seal()
    broker = open()
    expect(broker.topics.partition('t', 0).endOffset).toBe(3)
    broker.close()
  })
})
