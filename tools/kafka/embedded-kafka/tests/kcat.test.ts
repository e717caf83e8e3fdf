import { describe, expect, it } from 'vitest'
import { startEmbeddedKafka } from '../src/index.ts'
import { kcat } from './kcat.ts'

// Without kcat on the machine there is nothing to run; CI installs it.
describe.concurrent('kcat (librdkafka) on the embedded broker', { tags: 'kcat' }, () => {
  for (const compression of ['none', 'gzip', 'snappy', 'lz4', 'zstd']) {
    it(`gives back what it produced with ${compression}`, async () => {
      await using broker = await startEmbeddedKafka()
      const lines = Array.from({ length: 200 }, (_, index) => `key-${index}:value-${index}`)
      const target = ['-b', broker.bootstrapServers, '-t', 'cat', '-K', ':']
      await kcat([...target, '-P', '-X', `compression.codec=${compression}`], lines.join('\n'))
      const read = await kcat([...target, '-C', '-e', '-q', '-o', 'beginning'])
      expect(read.trim().split('\n')).toEqual(lines)
    })
  }

  it('consumes as a member of a group from where the group stopped', async () => {
    await using broker = await startEmbeddedKafka({ defaultPartitions: 2 })
    const target = ['-b', broker.bootstrapServers]
    await kcat([...target, '-t', 'grouped', '-P', '-p', '0'], 'one\ntwo')
    const group = [...target, '-G', 'cats', '-e', '-q', '-X', 'auto.offset.reset=earliest', 'grouped']
    expect((await kcat(group)).trim().split('\n')).toEqual(['one', 'two'])
    await kcat([...target, '-t', 'grouped', '-P', '-p', '0'], 'three')
    expect((await kcat(group)).trim().split('\n')).toEqual(['three'])
  })

  it('finds all brokers of a cluster, and reads what each of them leads after one was killed', async () => {
    await using cluster = await startEmbeddedKafka({ brokers: 3, defaultPartitions: 6 })
    const target = ['-b', cluster.bootstrapServers, '-t', 'led']
    const lines = Array.from({ length: 300 }, (_, index) => `line ${index}`)
    await kcat([...target, '-P', '-X', 'acks=all', '-X', 'partitioner=random'], lines.join('\n'))
    const listed = await kcat(['-L', ...target])
    expect(listed).toContain('3 brokers:')
    for (const id of [1, 2, 3]) expect(listed.split(`leader ${id},`)).toHaveLength(3)
    await cluster.brokers[1]?.kill()
    const read = await kcat([...target, '-C', '-e', '-q', '-o', 'beginning'])
    expect(read.trim().split('\n').toSorted()).toEqual(lines.toSorted())
    expect(await kcat(['-L', ...target])).toContain('2 brokers:')
  })

  it('produces idempotently and in a transaction', async () => {
    await using broker = await startEmbeddedKafka()
    const target = ['-b', broker.bootstrapServers, '-t', 'tx']
    await kcat([...target, '-P', '-X', 'enable.idempotence=true'], 'idempotent')
    await kcat([...target, '-P', '-X', 'transactional.id=cat'], 'transactional')
    const read = await kcat([...target, '-C', '-e', '-q', '-o', 'beginning', '-X', 'isolation.level=read_committed'])
    expect(read.trim().split('\n')).toEqual(['idempotent', 'transactional'])
  })

  it('finds offsets by time', async () => {
    await using broker = await startEmbeddedKafka()
    const target = ['-b', broker.bootstrapServers]
    await kcat([...target, '-t', 'timed', '-P'], 'now')
    expect(await kcat([...target, '-Q', '-t', 'timed:0:0'])).toContain('offset 0')
    expect(await kcat([...target, '-Q', '-t', `timed:0:${Date.now() + 60_000}`])).toMatch(/offset (-1|1)/)
  })

  for (const compression of ['none', 'gzip', 'snappy', 'lz4', 'zstd']) {
    it(`finds offsets by time within a batch of ${compression}`, async () => {
      await using broker = await startEmbeddedKafka()
      const target = ['-b', broker.bootstrapServers]
      const lines = Array.from({ length: 30_000 }, (_, index) => `value-${index}`).join('\n')
      const oneBatch = ['-X', 'linger.ms=1000', '-X', 'batch.num.messages=100000']
      await kcat([...target, '-t', 'times', '-P', '-z', compression, ...oneBatch], lines)
      const read = await kcat([...target, '-t', 'times', '-C', '-e', '-q', '-f', '%o %T\n'])
      // Of every millisecond the first record.
      const firsts = new Map<string, string>()
      for (const line of read.trim().split('\n')) {
        const [offset = '', time = ''] = line.split(' ')
        if (!firsts.has(time)) firsts.set(time, offset)
      }
      expect(firsts.size).toBeGreaterThan(1)
      for (const [time, offset] of [...firsts].slice(0, 5)) {
        expect(await kcat([...target, '-Q', '-t', `times:0:${time}`])).toBe(`times [0] offset ${offset}\n`)
      }
    })
  }

  it('lists the broker and its topics', async () => {
    await using broker = await startEmbeddedKafka({ defaultPartitions: 3 })
    await kcat(['-b', broker.bootstrapServers, '-t', 'listed', '-P'], 'x')
    const listing = JSON.parse(await kcat(['-b', broker.bootstrapServers, '-L', '-J'])) as {
      topics: { topic: string; partitions: unknown[] }[]
    }
    expect(listing.topics.map(({ topic, partitions }) => ({ topic, count: partitions.length }))).toEqual([
      { topic: 'listed', count: 3 },
    ])
  })
})
