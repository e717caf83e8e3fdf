import { fileURLToPath } from 'node:url'
import { bundleApp } from '@taproom/bundles/app'
import type { LogRecord } from '../chaos/topic-log.ts'
import { kubectl } from '../harness/kubectl.ts'
import { listOf, nodePod } from './node-program.ts'

const MAIN = fileURLToPath(new URL('topic-reader-main.ts', import.meta.url))

/** A pod that reads a topic from its beginning. */
export interface TopicReader extends AsyncDisposable {
  records(): Promise<readonly LogRecord[]>
}

/** Starts it in the system's namespace, where it is let in to Kafka as `kafka` says, by its variables; it has read nothing yet. */
export async function startTopicReader(
  topic: string,
  kafka: Readonly<Record<string, string>> = {},
): Promise<TopicReader> {
  const name = `reader-of-${topic}`
  const { files } = await bundleApp({ entries: { main: MAIN }, conditions: ['development'] })
  const metadata = { name, namespace: 'taproom' }
  const program = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: Object.fromEntries(files) }
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, labels: { 'taproom.dev/needs-kafka': 'true' } },
    spec: nodePod({
      name: 'reader',
      args: ['/program/main.cjs', topic],
      env: { KAFKA_BOOTSTRAP_SERVERS: 'kafka:9092', ...kafka },
      volumes: { '/program': { configMap: { name } } },
    }),
  }
  const list = listOf([program, pod])
  const remove = async () => void (await kubectl(['delete', '--ignore-not-found', '--filename', '-'], list))
  await remove()
  // Applied it would be an annotation as well, which has not enough room.
  await kubectl(['create', '--filename', '-'], list)
  return {
    async records() {
      return recordsOf(await kubectl(['-n', 'taproom', 'logs', name, '--tail=-1']))
    },
    [Symbol.asyncDispose]: remove,
  }
}

/** After a broken connection records come again: those of one place are one record. */
function recordsOf(lines: string): readonly LogRecord[] {
  const records = new Map<string, LogRecord>()
  for (const line of lines.split('\n')) {
    if (!line.startsWith('{"partition":')) continue
    const { partition, offset, key, value } = JSON.parse(line)
    records.set(`${partition} ${offset}`, { partition, offset: BigInt(offset), key, value })
  }
  return [...records.values()]
}
