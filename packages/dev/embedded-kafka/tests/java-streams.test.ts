import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { startEmbeddedKafka } from '../src/index.ts'

/** The jars of kafka-streams and what it needs, as for `java -cp`. */
const CLASSPATH = process.env['KAFKA_CLIENTS_CLASSPATH'] ?? ''
const JAVA = process.env['JAVA'] ?? 'java'

function namesStreams(path: string): boolean {
  if (!path.endsWith('/*')) return path.includes('kafka-streams')
  const folder = dirname(path)
  return existsSync(folder) && readdirSync(folder).some((name) => name.startsWith('kafka-streams'))
}

const hasStreams = CLASSPATH.split(':').some(namesStreams)
// The jars are CI's to bring, as for the Java client.
const reason = hasStreams ? '' : ' (left out: KAFKA_CLIENTS_CLASSPATH names no kafka-streams)'

describe.runIf(hasStreams)(`Kafka Streams on the embedded broker${reason}`, () => {
  it('counts words exactly once, and counts on from the compacted changelog after its state is lost', async () => {
    await using broker = await startEmbeddedKafka()
    const path = fileURLToPath(new URL('./java/JavaStreams.java', import.meta.url))
    const child = spawn(JAVA, ['-cp', CLASSPATH, path, broker.bootstrapServers])
    const output: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
    const [code] = (await once(child, 'close')) as [number | null]
    expect(Buffer.concat(output).toString()).toContain('java client done')
    expect(code).toBe(0)
  }, 300_000)
})
