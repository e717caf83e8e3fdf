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

describe('Kafka Streams on the embedded broker', { tags: 'java-client', skip: !hasStreams }, () => {
  it('counts words exactly once, and counts on from the compacted changelog after its state is lost', async () => {
    await using broker = await startEmbeddedKafka()
    await runJava('JavaStreams', broker.bootstrapServers)
  })
})
