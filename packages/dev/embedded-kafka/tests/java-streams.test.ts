import { existsSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, it } from 'vitest'
import { startEmbeddedKafka } from '../src/index.ts'
import { CLASSPATH, runJava } from './java-program.ts'

function namesStreams(path: string): boolean {
  if (!path.endsWith('/*')) return path.includes('kafka-streams')
  const folder = dirname(path)
  return existsSync(folder) && readdirSync(folder).some((name) => name.startsWith('kafka-streams'))
}

const hasStreams = CLASSPATH.split(':').some(namesStreams)
const reason = hasStreams ? '' : ' (left out: KAFKA_CLIENTS_CLASSPATH names no kafka-streams)'

describe.runIf(hasStreams)(`Kafka Streams on the embedded broker${reason}`, () => {
  it('counts words exactly once, and counts on from the compacted changelog after its state is lost', async () => {
    await using broker = await startEmbeddedKafka()
    await runJava('JavaStreams', broker.bootstrapServers)
  })
})
