import type { LogRecord } from '@taproom/chaos/findings'
import { kubectl } from './kubectl.ts'

/** The committed records of a topic, as Kafka's own consumer reads them inside of a broker's pod. */
export async function readTopic(topic: string, pod = 'kafka-0'): Promise<readonly LogRecord[]> {
  const properties = ['partition', 'offset', 'key'].flatMap((name) => ['--property', `print.${name}=true`])
  const consumer = ['java', '-cp', '/opt/kafka/libs/*', 'org.apache.kafka.tools.consumer.ConsoleConsumer']
  const from = ['--bootstrap-server', 'localhost:9092', '--topic', topic]
  const reading = ['--from-beginning', '--isolation-level', 'read_committed', '--timeout-ms', '15000', ...properties]
  const text = await kubectl(['-n', 'taproom', 'exec', pod, '--', ...consumer, ...from, ...reading])
  return text.split('\n').flatMap((line) => {
    const found = /^Partition:(\d+)\tOffset:(\d+)\t([^\t]*)\t(.*)$/.exec(line)
    if (found === null) return []
    const [, partition, offset = '', key = '', value = ''] = found
    return [{ partition: Number(partition), offset: BigInt(offset), key, value }]
  })
}
