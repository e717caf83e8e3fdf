import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { startEmbeddedKafka } from '../src/index.ts'

/** The program, or the path to it. */
const KCAT = process.env['KCAT'] ?? 'kcat'
const isInstalled = spawnSync(KCAT, ['-V']).status === 0

async function kcat(args: readonly string[], input = ''): Promise<string> {
  const child = spawn(KCAT, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  const problems: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => problems.push(chunk))
  child.stdin.end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`kcat ended with ${code}: ${Buffer.concat(problems).toString()}`)
  return Buffer.concat(output).toString()
}

// Without kcat on the machine there is nothing to run; CI installs it.
describe.runIf(isInstalled).concurrent('kcat (librdkafka) on the embedded broker', () => {
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
