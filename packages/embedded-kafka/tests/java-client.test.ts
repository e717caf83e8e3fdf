import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { startEmbeddedKafka } from '../src/index.ts'

/** The jars of kafka-clients and what it needs, as for `java -cp`. */
const CLASSPATH = process.env['KAFKA_CLIENTS_CLASSPATH'] ?? ''
const JAVA = process.env['JAVA'] ?? 'java'
const PROGRAM = fileURLToPath(new URL('./java/JavaClient.java', import.meta.url))

// Java and the jars are CI's to bring; there is nothing to run without them.
describe.runIf(CLASSPATH !== '')('the Java client on the embedded broker', () => {
  it('administers, produces with every compression, shares groups and keeps transactions apart', async () => {
    await using broker = await startEmbeddedKafka()
    const child = spawn(JAVA, ['-cp', CLASSPATH, PROGRAM, broker.bootstrapServers])
    const output: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
    const [code] = (await once(child, 'close')) as [number | null]
    expect(Buffer.concat(output).toString()).toContain('java client done')
    expect(code).toBe(0)
  }, 120_000)
})
