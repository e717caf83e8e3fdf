import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { startEmbeddedKafka } from '../src/index.ts'

/** The jars of kafka-clients and what it needs, as for `java -cp`. */
const CLASSPATH = process.env['KAFKA_CLIENTS_CLASSPATH'] ?? ''
const JAVA = process.env['JAVA'] ?? 'java'

// Java and the jars are CI's to bring; there is nothing to run without them.
describe.runIf(CLASSPATH !== '')('the Java client on the embedded broker', () => {
  it.each([
    ['JavaClient', 'administers, produces with every compression, shares groups and keeps transactions apart'],
    ['JavaStaticMembers', 'comes back as a static member without a rebalance, and is fenced by its successor'],
    ['JavaOffsetsByTime', 'finds offsets by time within batches of every compression'],
    ['JavaAdminDetails', 'asks for what can be configured, sizes, the quorum, topics in pages, and groups'],
    ['JavaTransactionAdmin', 'asks for producers and transactions, and fences a producer'],
    ['JavaCompaction', 'changes settings of topics, and reads compacted ones of every compression'],
  ])(
    '%s %s',
    async (program) => {
      await using broker = await startEmbeddedKafka({ cleanerBackoffMs: 50 })
      const path = fileURLToPath(new URL(`./java/${program}.java`, import.meta.url))
      const child = spawn(JAVA, ['-cp', CLASSPATH, path, broker.bootstrapServers])
      const output: Buffer[] = []
      child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
      child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
      const [code] = (await once(child, 'close')) as [number | null]
      expect(Buffer.concat(output).toString()).toContain('java client done')
      expect(code).toBe(0)
    },
    300_000,
  )
})
