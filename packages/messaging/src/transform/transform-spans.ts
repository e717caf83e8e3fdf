import type { KafkaMessage } from '@taproom/kafkajs'
import { tracing } from '@taproom/spans'
import type { OutgoingMessage } from '../channel/message.ts'
import { fromKafkaRecord } from '../kafka/record.ts'
import { duringBatch, duringProcess } from '../spans/message-spans.ts'
import type { TransformOptions } from './transform-channel.ts'

type Transform = TransformOptions['transform']

interface Batch {
  readonly options: Pick<TransformOptions, 'inputTopic' | 'groupId' | 'transform'>
  readonly partition: number
  readonly records: readonly KafkaMessage[]
}

/**
 * Runs a transaction in a span that is linked with the traces of its messages. Each message is transformed in its own trace, which its outputs
 * carry on.
 */
export function inTransactionSpan<T>(
  { options, partition, records }: Batch,
  run: (transform: Transform) => Promise<T>,
): Promise<T> {
  const traces = tracing()
  const { inputTopic: topic, groupId, transform } = options
  if (traces === undefined) return run(transform)
  const headersOf = (record: KafkaMessage) => fromKafkaRecord(topic, partition, record).headers
  return duringBatch(traces, { topic, groupId }, { records, headersOf }, (batch) =>
    run((message) =>
      duringProcess(traces, message, { groupId, batch }, () => {
        const headers = traces.inject()
        const made = transform(message)
        if (Array.isArray(made)) return carrying(headers, made)
        return Promise.resolve(made).then((outputs) => carrying(headers, outputs))
      }),
    ),
  )
}

function carrying(
  headers: Readonly<Record<string, string>>,
  outputs: readonly OutgoingMessage[],
): readonly OutgoingMessage[] {
  return outputs.map((output) => ({ ...output, headers: { ...output.headers, ...headers } }))
}
